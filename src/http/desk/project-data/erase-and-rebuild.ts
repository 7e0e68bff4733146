/**
 * Starts jobs on a project: `POST /erase`, `POST /rebuild`, as forms or JSON. Jobs that take longer
 * than a request continue in the background; `/status` shows their progress.
 */

import { ERASE_PROJECT_CONFIRMATION } from "../../../core/erasure.ts";
import { ok, type Result } from "../../../core/result.ts";
import { eraseProjectData, rebuildIndex, startErasure } from "../../../operations/project-data.ts";
import { toErasureUrl } from "../../../ui/urls/erasure-urls.ts";
import type { AppContext } from "../../context.ts";
import type { Failure } from "../../failures.ts";
import { readForm } from "../../forms/form-body.ts";
import { type ActionResult, respondToAction } from "../../forms/respond.ts";
import { perform } from "../../operation-call.ts";
import { parseProjectErasureForm } from "./erasure-form.ts";

/**
 * Erases a text that was previewed (303 to `/erase/<preview>`), or everything (303 to
 * `/status?startedJob=<job>`). JSON: 202 `{"startedJob":"erase-text"}` or
 * `{"startedJob":"erase-project"}`; 400 for a confirmation that does not match, 404 for an unknown
 * preview.
 */
export function startProjectErasure(c: AppContext): Promise<Response> {
  let formPath = DATA_PATH;
  const act = async () => {
    const erasure = await readForm(c.req.raw, "bad-erasure", parseProjectErasureForm);
    if (!erasure.ok) return erasure;
    if (erasure.value !== "project") formPath = toErasureUrl(erasure.value.preview);
    if (erasure.value === "project") {
      const confirm = ERASE_PROJECT_CONFIRMATION;
      const started = await perform(c, eraseProjectData, { confirm }, "bad-erasure");
      return started.ok ? acceptJob(started.value.startedJob) : started;
    }
    const { preview, text: confirm, reports } = erasure.value;
    const started = await perform(c, startErasure, { preview, confirm, reports }, "bad-erasure");
    return started.ok ? acceptJob(started.value.startedJob, toErasureUrl(preview)) : started;
  };
  return respondToAction(c, act, { getFormPath: () => formPath });
}

/**
 * Rebuilds the index from KV. 303 to `/status?startedJob=rebuild`; JSON: 202
 * `{"startedJob":"rebuild"}`.
 */
export function startRebuild(c: AppContext): Promise<Response> {
  return respondToAction(c, async () => {
    const started = await perform(c, rebuildIndex, {}, "bad-form");
    return started.ok ? acceptJob(started.value.startedJob) : started;
  });
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
