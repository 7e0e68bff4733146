/**
 * Serves an attachment of a report. Known image types are displayed, all others are downloaded, and
 * nothing in them can run.
 */

import { parseDigest } from "../../../core/grouping/parse-digest.ts";
import { isInlineImage } from "../../../core/report/attachment.ts";
import type { Attachment } from "../../../core/report.ts";
import { findReport } from "../../../operations/issue-reads.ts";
import type { AppContext } from "../../context.ts";
import { NO_STORE } from "../../security-headers.ts";

/** `/d/<digest>/files/<n>?report=<id>`: 404 if the report or the attachment does not exist. */
export async function serveAttachment(c: AppContext): Promise<Response> {
  const { projectStore } = c.get("services");
  const digest = parseDigest(c.req.param("digest") ?? "");
  const issue = digest.ok ? await projectStore.getFreshIssue(digest.value) : null;
  const report =
    issue === null ? null : await findReport(projectStore, issue, c.req.query("report"));
  const file = report?.attachments?.[parseIndex(c.req.param("n"))];
  const bytes = file === undefined ? undefined : toBytes(file);
  if (file === undefined || bytes === undefined) {
    const detail = "This report has no such file, or the file was too large to store.";
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

/** The index in the URL; -1 if it is not in canonical form. */
function parseIndex(n: string | undefined): number {
  return n !== undefined && /^(?:0|[1-9]\d?)$/.test(n) ? Number(n) : -1;
}

function toBytes({ text, base64 }: Attachment): Uint8Array<ArrayBuffer> | undefined {
  if (text !== undefined) return new Uint8Array(new TextEncoder().encode(text));
  if (base64 === undefined) return undefined;
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}

/**
 * RFC 8187 § 3.2: also encodes the characters that `encodeURIComponent` leaves and a parameter
 * value must not contain.
 */
function encodeFilename(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  );
}
