// Loads the captures of real clients in tests/fixtures as the bytes on the wire.

import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const folder = new URL("../../fixtures/", import.meta.url);

/** One captured request. `body` is decoded from its Content-Encoding. */
export interface Capture {
  /** The file name without `.json`. */
  readonly name: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
}

interface StoredCapture {
  readonly request?: { readonly headers: readonly (readonly [string, string])[] };
  readonly body?: string;
  readonly bodyBase64?: string;
  readonly onRequestError?: unknown;
}

/** All captures, by name. */
export function listCaptures(): readonly Capture[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .sort()
    .map((file) => readCapture(file.slice(0, -".json".length)));
}

/** The capture with this name. */
export function readCapture(name: string): Capture {
  const capture = JSON.parse(
    readFileSync(new URL(`${name}.json`, folder), "utf8"),
  ) as StoredCapture;
  const headers = new Map(
    (capture.request?.headers ?? []).map(([key, value]) => [key.toLowerCase(), value]),
  );
  const encoded = encodeBody(capture);
  const body = headers.get("content-encoding") === "gzip" ? gunzipSync(encoded) : encoded;
  return { name, headers, body: new Uint8Array(body) };
}

function encodeBody(capture: StoredCapture): Uint8Array {
  if (capture.bodyBase64 !== undefined) return Buffer.from(capture.bodyBase64, "base64");
  const body = capture.body ?? JSON.stringify(capture.onRequestError);
  return new TextEncoder().encode(body);
}
