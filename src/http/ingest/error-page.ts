/**
 * The dialog of `Sentry.showReportDialog()`: responds with its script, and turns its form into an
 * envelope with a user report.
 * Source: @sentry/core 11.12 `api.js` (`getReportDialogEndpoint`); the fields of Sentry's form.
 */

import { decodeText } from "../../core/decode/parse-json.ts";
import { limits } from "../../core/limits.ts";
import { reportDialogScript } from "../../render/assets.ts";

/** The script. It reads its texts from the query of its own URL, so it is the same for all. */
export function respondWithDialog(headers: Readonly<Record<string, string>>): Response {
  return new Response(reportDialogScript, {
    headers: {
      ...headers,
      "Content-Type": "text/javascript; charset=utf-8",
      "Cache-Control": "public, max-age=3600",
    },
  });
}

/** The form, in URL encoding, as an envelope. The query names the event. */
export function toUserReport(form: Uint8Array, query: URLSearchParams): Uint8Array {
  const fields = new URLSearchParams(decodeText(form.subarray(0, limits.maxFormBytes)));
  const payload = {
    event_id: query.get("eventId"),
    name: fields.get("name"),
    email: fields.get("email"),
    comments: fields.get("comments")?.trim(),
  };
  const lines = [{}, { type: "user_report" }, payload].map((line) => JSON.stringify(line));
  return new TextEncoder().encode(`${lines.join("\n")}\n`);
}
