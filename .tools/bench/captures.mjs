// What real clients sent (tests/fixtures), as the benchmark sends it again.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../run.mjs";

/** @typedef {{ body: string, request: { headers: [name: string, value: string][] } }} Capture */

/**
 * The capture with this name; of a compressed body what it was.
 *
 * @param {string} name
 * @returns {Capture}
 */
export function captureOf(name) {
  const file = join(root, "tests", "fixtures", `${name}.json`);
  const { body, bodyTextAfterDecoding, request } = JSON.parse(readFileSync(file, "utf8"));
  return { body: body ?? bodyTextAfterDecoding, request };
}

/** The headers that its client sent, without those of the connection. @param {Capture} capture */
export function sentHeaders({ request }) {
  return Object.fromEntries(
    request.headers.filter(([name]) => !/^(?:host|connection|content-length)$/i.test(name)),
  );
}
