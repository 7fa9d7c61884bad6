/** One turn of the event loop: timers, input and drawing come in between. */

/** Resolves in the next turn. Not `setTimeout`, which pages stretch to 4 ms. */
export const nextTurn: () => Promise<void> = turning();

function turning(): () => Promise<void> {
  if (typeof setImmediate === "function") return () => new Promise((resolve) => setImmediate(resolve));
  if (typeof MessageChannel !== "function") return () => new Promise((resolve) => setTimeout(resolve, 0));
  const waiting: (() => void)[] = [];
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => waiting.shift()?.();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(0);
    });
}
