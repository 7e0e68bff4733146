/**
 * Detects the type of a file that is uploaded without a bundle (`curl -T`), from its first bytes.
 */
import { decodeText } from "../decode/parse-json.ts";
import { toHex } from "../hex.ts";
import { fail, ok, type Result } from "../result.ts";
import { isTarHeader } from "./tar.ts";

/**
 * `bundle` is a zip after the eight bytes of an artifact bundle; `gzip` contains one of the others.
 */
export type UploadKind = "map" | "script" | "bundle" | "zip" | "tar" | "gzip";

/** The number of first bytes that detection needs. */
export const DETECTION_BYTES = 4096;

const SIGNATURES: readonly (readonly [UploadKind, readonly number[]])[] = [
  ["gzip", [0x1f, 0x8b]],
  ["bundle", [0x53, 0x59, 0x53, 0x42]],
  ["zip", [0x50, 0x4b, 0x03, 0x04]],
  ["zip", [0x50, 0x4b, 0x05, 0x06]],
];

/** A guard against inclusion as a script, or an object whose first member has a name. */
const MAP_START = /^(?:\)\]\}[^\n]*\n)?\s*\{\s*["}]/;

/**
 * The kind of a file from its first `DETECTION_BYTES` bytes. Fails for an empty file, for a page of
 * HTML, and for binary data of other kinds.
 */
export function detectUpload(
  head: Uint8Array,
): Result<UploadKind, { readonly reason: "invalid-upload"; readonly detail: string }> {
  if (head.length === 0) return failWith("it is empty");
  for (const [kind, signature] of SIGNATURES) {
    if (signature.every((byte, at) => head[at] === byte)) return ok(kind);
  }
  if (isTarHeader(head)) return ok("tar");
  if (head.includes(0)) return failWith(`it begins with the bytes ${toHex(head.subarray(0, 8))}`);
  const text = decodeText(head);
  if (MAP_START.test(text)) return ok("map");
  if (/^\s*</.test(text)) return failWith("it is HTML or XML, perhaps an error page");
  if (/^\s*\[/.test(text)) return failWith("it is a JSON array");
  return /^\s*$/.test(text) ? failWith("it is blank") : ok("script");
}

function failWith(found: string) {
  return fail({
    reason: "invalid-upload",
    detail: `Expected a source map, a script, a zip, a tar, or a gzip of one of these: ${found}.`,
  });
}
