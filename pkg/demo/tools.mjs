// The two tools that the demo brings along. Their data is made up; what matters is that they are plain functions.

const forecast = { friday: ["rain", 14], saturday: ["dry", 23], sunday: ["showers", 19] };

const kinds = ["meadow", "lakeside", "forest clearing", "hilltop", "riverside", "shore of the fjord"];
const offers = ["benches", "barbecue places", "a kiosk", "shade", "a playground", "nothing else"];
const places = ["Ekeberg", "Frogner", "Bogstad", "Songsvann", "Bygdøy", "Sofienberg", "St. Hanshaugen", "Huk", "Tøyen", "Østensjø"];

export const weather = {
  extensionId: "demo",
  name: "get_weather",
  description: "The weather of the coming days in a city.",
  inputSchema: {
    type: "object",
    properties: {
      city: { type: "string", description: "Name of the city." },
      days: { type: "array", items: { enum: Object.keys(forecast) }, description: "Which days; all if missing." },
    },
    required: ["city"],
    additionalProperties: false,
  },
  traits: { effect: "read", parallel: true },
  execute: async ({ city, days = Object.keys(forecast) }, context) => {
    context.progress(`asking for ${days.length} days`);
    await new Promise((resolve) => setTimeout(resolve, 60));
    return { city, days: days.map((day) => ({ day, sky: forecast[day][0], celsius: forecast[day][1] })) };
  },
};

export const parks = {
  extensionId: "demo",
  name: "find_parks",
  description: "Parks of a city, one a line: number, place, kind, what it offers, distance from the centre.",
  inputSchema: {
    type: "object",
    properties: {
      city: { type: "string", description: "Name of the city." },
      limit: { type: "integer", minimum: 1, maximum: 500, description: "How many at most; 20 if missing." },
    },
    required: ["city"],
    additionalProperties: false,
  },
  // Longer results go into a file, and the model is shown their beginning.
  traits: { effect: "read", parallel: true, resultBudget: { chars: 4_000 } },
  execute: ({ city, limit = 20 }) => {
    const line = (_, at) => {
      const [place, kind, offer] = [places[(at * 7) % 10], kinds[(at * 5) % 6], offers[(at * 11) % 6]];
      return `${at + 1}. ${place} ${Math.floor(at / 10) + 1}, ${kind} with ${offer}, ${((at * 37) % 130) / 10} km`;
    };
    return [`Parks in ${city}:`, ...Array.from({ length: limit }, line)].join("\n");
  },
};

/** What is in the workspace before the run. */
export const folder = {
  "plan/notes.md": "# Picnic\n\nTwelve guests, one of them allergic to nuts.\n\n- [ ] choose a day and a place\n- [ ] shopping list\n",
};

export const request =
  "Plan a picnic in Oslo for the coming weekend. My notes are in plan/. Pick a dry day and a park with barbecue places by " +
  "the water; if several fit, let the dice decide. Write the plan to output/plan.md and what to buy to output/shopping.md, and " +
  "tick off in the notes what is done.";
