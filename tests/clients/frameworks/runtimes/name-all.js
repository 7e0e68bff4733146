import { createErrata } from "errata/server";

const V8 = `TypeError: no price
    at getPrice (file:///srv/shop/dist/cart.js:12:9)
    at async Cart.total (file:///srv/shop/dist/cart.js:40:3)
    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)`;
const JAVASCRIPT_CORE = `getPrice@/srv/shop/dist/cart.js:12:9
total@/srv/shop/dist/cart.js:40:3
module code@/srv/shop/dist/server.js:3:1`;

/** What servers throw, with the stacks of one build. */
const THROWN = {
  "an error": withStack(new TypeError("no price"), V8),
  "an error of JavaScriptCore": withStack(new TypeError("no price"), JAVASCRIPT_CORE),
  "an error with a cause": withStack(
    new Error("no order", { cause: withStack(new RangeError("no total"), V8) }),
    V8.replace("TypeError: no price", "Error: no order"),
  ),
  "several errors": withStack(new AggregateError([withStack(new Error("one"), V8)], "both"), V8),
  "an error without a stack": withStack(new Error("no stack"), ""),
  "a text": "no tea",
  "an object": { reason: "no reason", status: 500 },
  nothing: undefined,
};

function withStack(error, stack) {
  return Object.defineProperty(error, "stack", { value: stack });
}

/** Names and reports everything. Returns the digests, and how many reports were lost. */
export async function nameAll(dsn, release) {
  const errata = createErrata({ dsn, release });
  const digests = Object.entries(THROWN).map(([what, thrown]) => {
    const { digest } = errata.name(thrown, { route: "/cart/:id", status: 500 });
    return [what, digest];
  });
  const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  const token = await errata.sign({ trace, origin: "https://shop.example" });
  await errata.flush();
  return { digests, lost: errata.lostCount, isSigned: token?.length === 35 };
}
