/**
 * Starts jobs on a project: `POST /erase`, `POST /rebuild`, as forms or JSON. Jobs that take longer
 * than a request continue in the background; `/status` shows their progress.
 */

import { isCommonText } from "../../../core/erasure.ts";
import { fail, ok, type Result } from "../../../core/result.ts";
import { toErasureUrl } from "../../../ui/urls/erasure-urls.ts";
import type { AppContext, Services } from "../../context.ts";
import type { Failure } from "../../failures.ts";
import { readForm } from "../../forms/form-body.ts";
import { type ActionResult, respondToAction } from "../../forms/respond.ts";
import { parseProjectErasureForm } from "./erasure-form.ts";

/**
 * Erases a text that was previewed (303 to `/erase/<preview>`), or everything (303 to
 * `/status?startedJob=<job>`). JSON: 202 `{"startedJob":"erase-text"}` or
 * `{"startedJob":"erase-project"}`; 400 for a confirmation that does not match, 404 for an unknown
 * preview.
 */
export function startProjectErasure(c: AppContext): Promise<Response> {
  const { projectAdmin } = c.get("services");
  let formPath = DATA_PATH;
  const perform = async () => {
    const erasure = await readForm(c.req.raw, "bad-erasure", parseProjectErasureForm);
    if (!erasure.ok) return erasure;
    if (erasure.value !== "project") formPath = toErasureUrl(erasure.value.preview);
    if (erasure.value === "project") {
      await projectAdmin.eraseProject();
      return acceptJob("erase-project");
    }
    return eraseText(projectAdmin, erasure.value);
  };
  return respondToAction(c, perform, { getFormPath: () => formPath });
}

/**
 * Rebuilds the index from KV. 303 to `/status?startedJob=rebuild`; JSON: 202
 * `{"startedJob":"rebuild"}`.
 */
export function startRebuild(c: AppContext): Promise<Response> {
  const { projectAdmin } = c.get("services");
  return respondToAction(c, async () => {
    await projectAdmin.rebuildIndex();
    return acceptJob("rebuild");
  });
}

async function eraseText(
  projectAdmin: Services["projectAdmin"],
  { preview, text, reports }: { preview: string; text: string; reports?: number },
): Promise<Result<ActionResult, Failure>> {
  const erasure = await projectAdmin.getErasure(preview);
  if (erasure?.text === undefined || erasure.found === undefined)
    return fail({ reason: "unknown-preview" });
  if (text.toLowerCase() !== erasure.text.toLowerCase())
    return fail({ reason: "bad-erasure", expected: "the text of the preview (confirm)" });
  if (isCommonText(erasure.found) && reports !== erasure.found.reports) {
    const expected = "the number of reports of the preview (reports), because the text is common";
    return fail({ reason: "bad-erasure", expected });
  }
  await projectAdmin.eraseMatching(erasure.text, preview);
  return acceptJob("erase-text", toErasureUrl(preview));
}

/** The page with the forms. */
const DATA_PATH = "/settings/data";

/** The result of a request that started a job. Redirects to the status page by default. */
function acceptJob(
  job: string,
  redirectTo = `/status?startedJob=${job}`,
): Result<ActionResult, Failure> {
  return ok({ body: { startedJob: job }, redirectTo, status: 202 });
}
