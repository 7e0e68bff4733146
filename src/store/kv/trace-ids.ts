/**
 * Traces and Ray IDs, which identify the request of a report. The catalog stores them like ids, so
 * that a lookup finds a report of any age without a row or key per report. Anyone can copy a trace
 * into a report, so reports without a server key use separate ids.
 */
import { hash } from "node:crypto";
import type { ReportCode } from "../../core/report/report-codes.ts";
import type { LineInfo } from "./line-info.ts";
import type { IdAtLine } from "./packed-ids.ts";

/** The traces, Ray IDs and other codes of lines, as ids with their lines. */
export function extractTraceIds(
  infos: readonly Pick<LineInfo, "traceCodes" | "codes" | "trust">[],
): readonly IdAtLine[] {
  return infos.flatMap(({ traceCodes, codes = [], trust }, line) => {
    const ids = [...traceCodes.flatMap((code) => toTraceId(code) ?? []), ...codes.map(toCodeId)];
    const toOwn = trust === "server" ? (id: string) => id : toUntrustedTraceId;
    return Array.from(new Set(ids), (id) => ({ id: toOwn(id), line }));
  });
}

/** A code of a report as an id: a trace is one, of other codes it is a hash. */
export function toCodeId({ kind, text }: ReportCode): string {
  const trace = kind === "request" ? toTraceId(text) : undefined;
  return trace ?? hash("sha256", `${kind}\n${text}`).slice(0, 32);
}

/** The id under which reports without a server key have a trace. */
export function toUntrustedTraceId(id: string): string {
  return hash("sha256", `trace\n${id}`).slice(0, id.length);
}

/** A trace ID (32 hex characters) or Ray ID (16, with or without a location) as an id. */
export function toTraceId(code: string): string | undefined {
  const [, hex = ""] = /^([0-9a-f]{16}|[0-9a-f]{32})(?:-[A-Z]{3})?$/.exec(code) ?? [];
  if (hex === "" || /^0+$/.test(hex)) return undefined;
  return hex.padStart(32, "0");
}
