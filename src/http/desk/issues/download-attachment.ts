/**
 * A file that came with a report. Whatever its sender calls it, it is data: pictures may be shown, everything else is saved,
 * and nothing in it runs.
 */

import { parseDigest } from "../../../core/grouping/digest.ts";
import { isInlineImage } from "../../../core/report/attachment.ts";
import type { Attachment } from "../../../core/report.ts";
import type { AppContext } from "../../context.ts";
import { NO_STORE } from "../../security-headers.ts";
import { findReport } from "../lookup/look-up.ts";

/** `/d/<digest>/files/<n>?report=<id>`: 404 when there is no such report or it has no such file any more. */
export async function serveAttachment(c: AppContext): Promise<Response> {
  const { projectStore } = c.get("services");
  const digest = parseDigest(c.req.param("digest") ?? "");
  const issue = digest.ok ? await projectStore.getFreshIssue(digest.value) : null;
  const report =
    issue === null ? null : await findReport(projectStore, issue, c.req.query("report"));
  const file = report?.attachments?.[parseIndex(c.req.param("n"))];
  const bytes = file === undefined ? undefined : toBytes(file);
  if (file === undefined || bytes === undefined) {
    const detail = "This report has no such file, or it was too large to be kept.";
    return c.json({ reason: "unknown-attachment", detail }, 404);
  }
  const type = isInlineImage(file.type) ? file.type : "application/octet-stream";
  const disposition = isInlineImage(file.type) ? "inline" : "attachment";
  return new Response(bytes, {
    headers: {
      "Content-Type": type,
      "Content-Disposition": `${disposition}; filename*=UTF-8''${encodeFilename(file.name)}`,
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "Cache-Control": NO_STORE,
    },
  });
}

/** The number in the address; -1 for another spelling of it and for what is none. */
function parseIndex(n: string | undefined): number {
  return n !== undefined && /^(?:0|[1-9]\d?)$/.test(n) ? Number(n) : -1;
}

function toBytes({ text, base64 }: Attachment): Uint8Array<ArrayBuffer> | undefined {
  if (text !== undefined) return new Uint8Array(new TextEncoder().encode(text));
  if (base64 === undefined) return undefined;
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}

/** RFC 8187 § 3.2: what `encodeURIComponent` leaves and an attribute's value may not have is encoded too. */
function encodeFilename(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  );
}
