/**
 * Reads a Sentry envelope on the wire: its item types and the event id. Deliberately does not use
 * the product's own parser.
 */
import { gunzipSync } from "node:zlib";

/** An envelope's item types in order, and the event id in its header. */
export interface Envelope {
  readonly id: string | undefined;
  readonly items: readonly string[];
}

/** Reads an envelope whose items are all JSON; undefined for any other body. */
export function readEnvelope(body: Buffer): Envelope | undefined {
  const gzipped = body[0] === 0x1f && body[1] === 0x8b;
  const [header, ...lines] = (gzipped ? gunzipSync(body) : body).toString("utf8").split("\n");
  try {
    const items = lines.filter((_, i) => i % 2 === 0).filter((line) => line !== "");
    return {
      id: JSON.parse(header ?? "").event_id,
      items: items.map((line) => JSON.parse(line).type),
    };
  } catch {
    // A page, a script or a preflight.
    return undefined;
  }
}
