/**
 * Starts jobs on a project: `POST /d/<digest>/erase`, `POST /erase`, `POST /rebuild`, as forms or
 * JSON. Jobs that take longer than a request continue in the background; `/status` shows their
 * progress.
 */

import { isCommonText } from "../../../core/erasure.ts";
import { parseDigest } from "../../../core/grouping/parse-digest.ts";
import type { Digest, ReportId } from "../../../core/report.ts";
import { fail, ok, type Result } from "../../../core/result.ts";
import { toErasureUrl } from "../../../ui/urls/erasure-urls.ts";
import { toIssueUrl } from "../../../ui/urls/issue-urls.ts";
import type { AppContext, Services } from "../../context.ts";
import type { Failure } from "../../failures.ts";
import { readForm } from "../../forms/form-body.ts";
import { type ActionResult, respondToAction } from "../../forms/respond.ts";
import { parseIssueErasureForm, parseProjectErasureForm } from "./erasure-form.ts";

/**
 * Erases an issue with its reports (303 to the list; JSON: 202 `{"startedJob":"erase-issue"}`), or
 * one report (303 to its issue; JSON: `{"erased":true}`). 404 for unknown ids, 400, 413 or 415 for
 * an invalid form; otherwise see `respondToAction`.
 */
export function startIssueErasure(c: AppContext): Promise<Response> {
  const { projectAdmin, projectStore } = c.get("services");
  const digest = parseDigest(c.req.param("digest") ?? "");
  let formPath = digest.ok ? toIssueUrl(digest.value) : undefined;
  const perform = async () => {
    if (!digest.ok) return fail({ reason: "unknown-digest" });
    const erasure = await readForm(c.req.raw, "bad-erasure", (fields) =>
      parseIssueErasureForm(fields, digest.value),
    );
    if (!erasure.ok) return erasure;
    if (erasure.value !== "issue")
      return eraseOneReport({ projectAdmin, projectStore }, digest.value, erasure.value);
    const isKnown = await projectAdmin.eraseIssue(digest.value);
    if (isKnown) return acceptJob("erase-issue", "/issues");
    formPath = "/issues";
    return fail({ reason: "unknown-digest" });
  };
  return respondToAction(c, perform, { getFormPath: () => formPath });
}

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

async function eraseOneReport(
  { projectStore, projectAdmin }: Pick<Services, "projectStore" | "projectAdmin">,
  digest: Digest,
  { report }: { report: ReportId },
): Promise<Result<ActionResult, Failure>> {
  const issue = await projectStore.getFreshIssue(digest);
  if (issue === null) return fail({ reason: "unknown-digest" });
  const isInLatest = issue.latestReports.some(({ id }) => id === report);
  const location = isInLatest ? { digest, id: report } : await projectStore.locateReport(report);
  const isOfIssue = location?.digest === digest;
  if (!isOfIssue || !(await projectAdmin.eraseReport(location.id ?? report)))
    return fail({ reason: "unknown-report" });
  return ok({ body: { erased: true }, redirectTo: toIssueUrl(digest) });
}

/** The page with the forms. */
const DATA_PATH = "/settings/data";

/** The result of a request that started a job. Redirects to the status page by default. */
function acceptJob(
  task: string,
  redirectTo = `/status?startedJob=${task}`,
): Result<ActionResult, Failure> {
  return ok({ body: { startedJob: task }, redirectTo: redirectTo, status: 202 });
}
