// Before pages are measured they are looked at: each must be whole, and two renderers must give the same bytes. What differs from
// answer to answer is left out: nonces, and the times of events that were sent one after the other.

import { ROWS } from "./fixture/rows.mjs";

/** @type {readonly (readonly [RegExp, string])[]} */
const VARYING = [
  [/ nonce="[^"]*"/g, ' nonce=""'],
  [/<time [^>]*>[^<]*<\/time>/g, "<time></time>"],
  [/from=\d+/g, "from="],
];

/** @typedef {import("./contestants.mjs").Contestant} Contestant */

/** Rejects when a page is not as it should be. @param {readonly Contestant[]} contestants */
export async function assertPages(contestants) {
  /** @type {Map<Contestant, string>} */
  const pages = new Map();
  for (const one of contestants) pages.set(one, await pageOf(one));
  for (const [{ case: one, of }, page] of pages) {
    const rows = page.split("<tr").length - 1;
    if (one.worker.startsWith("fixture") && rows !== ROWS.first + ROWS.late) {
      throw new Error(`${one.name} has ${rows} rows.`);
    }
    const plain = contestants.find((other) => other.case.name === one.plain && other.of === of);
    const other = plain && pages.get(plain);
    if (other !== undefined && page !== other) {
      throw new Error(`${one.name}: ${whereApart(page, other)}`);
    }
  }
}

/** The last page that a case asks for, without what varies; empty when it asks for none. @param {Contestant} contestant */
async function pageOf({ case: { name }, player, stage }) {
  const ask = player.asks.at(-1);
  if (ask?.kind !== "page") return "";
  const response = await fetch(`http://127.0.0.1:${stage.rig.port}${ask.path}`, {
    headers: { accept: "text/html" },
    redirect: "manual",
  });
  const page = await response.text();
  if (response.status !== (ask.status ?? 200) || !page.includes(ask.end ?? "")) {
    throw new Error(`${name}: ${ask.path} was answered with ${response.status}, or not whole.`);
  }
  return VARYING.reduce((text, [pattern, word]) => text.replace(pattern, word), page);
}

/** @param {string} one @param {string} other */
function whereApart(one, other) {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const around = (/** @type {string} */ page) => page.slice(Math.max(0, at - 80), at + 80);
  return `the renderers give different pages:\n${around(one)}\n${around(other)}`;
}
