/** The worker of a page: the driver half, and nothing else. */

import { serve } from "./serve.js";

serve({
  post: (message, transfer) => self.postMessage(message, { transfer }),
  onMessage: (listener) => self.addEventListener("message", ({ data }) => listener(data)),
});
