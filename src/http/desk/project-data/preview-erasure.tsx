/** `POST /erase/preview` and `/erase/<id>`: the preview and the result of erasing a text. */

import type { TextErasure } from "../../../core/erasure.ts";
import { isReportId } from "../../../core/report/report-id.ts";
import { ok } from "../../../core/result.ts";
import { getErasure, previewErasure } from "../../../operations/project-data.ts";
import { Layout } from "../../../ui/layout/layout.tsx";
import { ErasurePage } from "../../../ui/settings/data/erasure-page.tsx";
import { toErasureUrl } from "../../../ui/urls/erasure-urls.ts";
import type { AppContext } from "../../context.ts";
import { toFailureResponse } from "../../failure-response.ts";
import { sendPageWithFlash } from "../../forms/flash-cookie.ts";
import { readForm } from "../../forms/form-body.ts";
import { respondToAction } from "../../forms/respond.ts";
import { perform, toCall } from "../../operation-call.ts";
import { wantsJson } from "../../send-page.tsx";
import { respondOrUnavailable } from "../../unavailable.ts";
import { parsePreviewForm } from "./erasure-form.ts";

/** Delays between reads of the job's state. The job of a small project ends within a second. */
const DELAYS_MS = [200, 300, 500, 1_000, 1_500];

/**
 * Starts to count the reports and issues that contain a text. 303 to `/erase/<id>`; JSON: 202
 * `{"preview":"<id>","startedJob":"preview-erasure"}`.
 */
export function startErasurePreview(c: AppContext): Promise<Response> {
  const act = async () => {
    const text = await readForm(c.req.raw, "bad-erasure", parsePreviewForm);
    if (!text.ok) return text;
    const started = await perform(c, previewErasure, { text: text.value }, "bad-erasure");
    if (!started.ok) return started;
    const { value: body } = started;
    return ok({ body, redirectTo: toErasureUrl(body.preview), status: 202 } as const);
  };
  return respondToAction(c, act, { getFormPath: () => "/settings/data" });
}

/**
 * Serves an erasure as a page or as JSON, after its job or a few seconds; 404 if it is unknown or
 * has expired; 503 while the index is unavailable.
 */
export function serveErasure(c: AppContext): Promise<Response> {
  return respondOrUnavailable(c, async () => {
    const id = (c.req.param("id") ?? "").replace(/\.json$/, "");
    const erasure = isReportId(id) ? await awaitErasure(c, id) : null;
    if (wantsJson(c)) return erasure ?? toFailureResponse({ reason: "unknown-preview" });
    return sendPageWithFlash(c, (flash) => ({
      title: "Erase personal data",
      route: "/erase/:id",
      ...(erasure === null && { status: 404 }),
      content: (
        <Layout current="settings" isSignedIn flash={flash}>
          <ErasurePage erasure={erasure} />
        </Layout>
      ),
    }));
  });
}

async function awaitErasure(c: AppContext, preview: string): Promise<TextErasure | null> {
  const read = async () => {
    const loaded = await getErasure.load({ preview }, toCall(c));
    return loaded.ok ? loaded.value : null;
  };
  let erasure = await read();
  for (const delayMs of DELAYS_MS) {
    if (erasure?.work === undefined) return erasure;
    await scheduler.wait(delayMs);
    erasure = await read();
  }
  return erasure;
}
