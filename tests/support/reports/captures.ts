// Loads the captures of real clients in tests/fixtures as the bytes on the wire.

import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const folder = new URL("../../fixtures/", import.meta.url);

/** One captured request. `body` is decoded from its Content-Encoding. */
export interface Fixture {
  /** The file name without `.json`. */
  readonly name: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
}

interface Capture {
  readonly request?: { readonly headers: readonly (readonly [string, string])[] };
  readonly body?: string;
  readonly bodyBase64?: string;
  readonly onRequestError?: unknown;
}

/** All captures, by name. */
export function listFixtures(): readonly Fixture[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .sort()
    .map((file) => readFixture(file.slice(0, -".json".length)));
}

/** The capture with this name. */
export function readFixture(name: string): Fixture {
  const capture = JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8")) as Capture;
  const headers = new Map(
    (capture.request?.headers ?? []).map(([key, value]) => [key.toLowerCase(), value]),
  );
  const encoded = encodeBody(capture);
  const body = headers.get("content-encoding") === "gzip" ? gunzipSync(encoded) : encoded;
  return { name, headers, body: new Uint8Array(body) };
}

function encodeBody(capture: Capture): Uint8Array {
  if (capture.bodyBase64 !== undefined) return Buffer.from(capture.bodyBase64, "base64");
  const body = capture.body ?? JSON.stringify(capture.onRequestError);
  return new TextEncoder().encode(body);
}
