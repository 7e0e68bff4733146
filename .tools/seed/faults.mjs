// Five hundred ways in which a large web application fails: each is one issue, with a weight, a life and a place of its own.

/** @import { Chance } from "./chance.mjs" */

/**
 * @typedef {object} Fault
 * @property {number} nth
 * @property {"server" | "browser" | "next" | "reporter" | "csp" | "network"} way how it is reported
 * @property {string} type
 * @property {string} message
 * @property {string} route
 * @property {readonly string[]} called functions of the stack, the one that threw first
 * @property {string} file
 * @property {string} host of what it asks the network for
 * @property {number} times
 * @property {number} fromDays how long ago it began …
 * @property {number} toDays … and ended
 * @property {number} peak days ago, around which a third of it happened
 */

/** Of a hundred faults so many are reported in each way. */
const WAYS = /** @type {const} */ ([
  ["server", 40],
  ["browser", 34],
  ["csp", 10],
  ["reporter", 8],
  ["next", 4],
  ["network", 4],
]);

const AREAS = [
  "cart",
  "checkout",
  "orders",
  "search",
  "account",
  "reviews",
  "stock",
  "mail",
  "invoice",
  "export",
  "login",
  "media",
  "prices",
  "labels",
  "gifts",
  "routes",
  "maps",
  "feeds",
  "chat",
  "forms",
];
const THINGS = [
  "price",
  "address",
  "voucher",
  "session",
  "customer",
  "parcel",
  "receipt",
  "image",
  "token",
  "filter",
  "locale",
  "country",
  "variant",
  "supplier",
  "template",
  "currency",
  "deadline",
  "signature",
  "attachment",
  "quantity",
  "warehouse",
  "refund",
  "calendar",
  "profile",
  "permission",
];
const VERBS = [
  "load",
  "save",
  "parse",
  "render",
  "format",
  "merge",
  "send",
  "resolve",
  "count",
  "verify",
  "sort",
  "sync",
  "encode",
  "prefetch",
  "open",
];
/** @type {readonly (readonly [type: string, message: (thing: string, area: string, verb: string) => string])[]} */
const SAYINGS = [
  [
    "TypeError",
    (thing, area) => `Cannot read properties of undefined (reading '${area}${name(thing)}')`,
  ],
  ["TypeError", (thing, area) => `Cannot set properties of null (setting '${area}${name(thing)}')`],
  ["ReferenceError", (thing, area) => `${area}_${thing} is not defined`],
  [
    "RangeError",
    (thing, area, verb) => `Cannot ${verb} ${thing} of ${area}: Maximum call stack size exceeded`,
  ],
  ["MarkupError", (thing, area) => `The ${thing} of ${area} closes a tag that nobody opened`],
  ["TimeoutError", (thing, area, verb) => `${area}: could not ${verb} the ${thing} within 5000 ms`],
  ["DatabaseError", (thing, area) => `relation ${area}_${thing} does not exist`],
  ["NotFoundError", (thing, area) => `No ${thing} in ${area} for this customer`],
  ["ValidationError", (thing, area, verb) => `Cannot ${verb} ${area}: the ${thing} is missing`],
  ["UploadError", (thing, area) => `The ${thing} for ${area} was cut off while it was sent`],
  ["InvariantError", (thing, area) => `a ${thing} of ${area} has two owners`],
  [
    "HTTPError",
    (thing, area, verb) => `502 while trying to ${verb} the ${thing} at ${area}.internal`,
  ],
];
const DIRECTIVES = [
  "script-src-elem",
  "img-src",
  "connect-src",
  "style-src-elem",
  "font-src",
  "frame-src",
];
const NETWORK = [
  "dns.name_not_resolved",
  "tcp.timed_out",
  "tcp.reset",
  "tls.cert.date_invalid",
  "http.error",
  "http.protocol.error",
  "abandoned",
];

/** As many can be told apart: each has an area and a thing of its own. */
export const MAX_FAULTS = AREAS.length * THINGS.length;

/** `count` faults that differ, with `reports` reports between them: few are frequent and many are rare.
 * @param {{ count: number, reports: number, days: number, chance: Chance }} options @returns {Fault[]} */
export function makeFaults({ count, reports, days, chance }) {
  const weights = Array.from({ length: count }, (_, nth) => 1 / (nth + 3));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const spare = reports - count;
  const faults = weights.map((weight, nth) =>
    makeFault(nth, 1 + Math.floor((spare * weight) / sum), days, chance),
  );
  const [first] = faults;
  // What rounding has left belongs to the most frequent one.
  if (first) first.times += reports - faults.reduce((all, { times }) => all + times, 0);
  return faults;
}

/** @param {number} nth @param {number} times @param {number} days @param {Chance} chance @returns {Fault} */
function makeFault(nth, times, days, chance) {
  const at = (/** @type {readonly string[]} */ list, /** @type {number} */ step) =>
    /** @type {string} */ (list[Math.floor(nth / step) % list.length]);
  const [area, thing] = [at(AREAS, 1), at(THINGS, AREAS.length)];
  const verb = chance.of(VERBS);
  const [type, message] = chance.of(SAYINGS);
  const way = wayOf(chance.below(100));
  // A fifth began within the last days, a fifth has ended.
  const life = chance.number();
  const fromDays = life < 0.2 ? 0.2 + chance.number() * 3 : days * (0.4 + 0.6 * chance.number());
  const toDays = life > 0.8 ? fromDays * 0.5 * chance.number() : 0;
  return {
    nth,
    way,
    type: way === "csp" ? chance.of(DIRECTIVES) : way === "network" ? chance.of(NETWORK) : type,
    message: message(thing, area, verb),
    route: chance.of([`/${area}`, `/${area}/[id]`, `/api/${area}/${verb}`, `/${area}/${thing}s`]),
    called: [`${verb}${name(thing)}`, `use${name(area)}`, `handle${name(verb)}`],
    file: `${area}/${thing}.ts`,
    host: `https://${area}-${thing}.bazaar.example`,
    times,
    fromDays,
    toDays,
    peak: toDays + chance.number() * (fromDays - toDays),
  };
}

/** @param {number} percent @returns {Fault["way"]} */
function wayOf(percent) {
  let upTo = 0;
  for (const [way, share] of WAYS) {
    upTo += share;
    if (percent < upTo) return way;
  }
  return "server";
}

/** @param {string} word */
function name(word) {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
