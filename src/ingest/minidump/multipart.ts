/**
 * Parses forms with files, on bytes. Linear in the body; never throws.
 *
 *     --boundary
 *     Content-Disposition: form-data; name="upload_file_minidump"; filename="a.dmp"
 *     Content-Type: application/octet-stream
 *
 *     MDMP…
 *     --boundary--
 *
 * Source: RFC 7578; RFC 2046 § 5.1.1.
 */
import { decodeText } from "../../core/decode/parse-json.ts";
import { limits } from "../../core/limits.ts";

/** One field or file. `content` is a view of the body's bytes, not a copy. */
export interface FormPart {
  readonly name: string;
  readonly filename?: string;
  readonly type?: string;
  readonly content: Uint8Array;
  /** The end of the part is missing. */
  readonly isCut: boolean;
}

const CR = 0x0d;
const LF = 0x0a;
const BOUNDARY_LINE = /^--[!-~ ]{1,70}\r?$/;

/**
 * The first `limits.maxItems` parts with a name. Undefined if the bytes do not begin like a form.
 */
export function parseMultipart(bytes: Uint8Array): readonly FormPart[] | undefined {
  const lineEnd = bytes.subarray(0, 80).indexOf(LF);
  const line = lineEnd < 0 ? "" : decodeText(bytes.subarray(0, lineEnd));
  if (!BOUNDARY_LINE.test(line)) return undefined;
  const boundary = new TextEncoder().encode(`\r\n${line.trimEnd()}`);
  const parts: FormPart[] = [];
  let start = lineEnd + 1;
  while (start < bytes.length && parts.length < limits.maxItems) {
    const found = findSequence(bytes, boundary, start);
    const end = found < 0 ? bytes.length : found;
    const part = parsePart(bytes.subarray(start, end), found < 0);
    if (part !== undefined) parts.push(part);
    // After the boundary is a line end, or "--" after the last part.
    start = end + boundary.length + 2;
    if (bytes[start - 2] !== CR) break;
  }
  return parts;
}

function parsePart(bytes: Uint8Array, isCut: boolean): FormPart | undefined {
  const blank = new Uint8Array([CR, LF, CR, LF]);
  const headerEnd = findSequence(bytes.subarray(0, limits.maxHeaderBytes), blank, 0);
  if (headerEnd < 0) return undefined;
  const header = decodeText(bytes.subarray(0, headerEnd));
  const disposition = /^content-disposition:(.{1,2000})$/im.exec(header)?.[1] ?? "";
  const type = /^content-type:\s{0,9}(\S[^\r\n]{0,200})/im.exec(header)?.[1];
  const name = readParameter(disposition, "name");
  const filename = readParameter(disposition, "filename");
  if (name === undefined) return undefined;
  return {
    name,
    ...(filename !== undefined && { filename }),
    ...(type !== undefined && { type }),
    content: bytes.subarray(headerEnd + blank.length),
    isCut,
  };
}

/** `a.dmp` for `form-data; filename="a.dmp"`. */
function readParameter(disposition: string, name: string): string | undefined {
  const match = new RegExp(`;\\s{0,9}${name}=(?:"([^"]{0,500})"|([^\\s;"]{1,500}))`, "i").exec(
    disposition,
  );
  return match?.[1] ?? match?.[2];
}

/** The index of a sequence that begins with a carriage return; -1 if there is none. */
function findSequence(bytes: Uint8Array, sequence: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(CR, from); at >= 0; at = bytes.indexOf(CR, at + 1))
    if (sequence.every((byte, n) => bytes[at + n] === byte)) return at;
  return -1;
}
