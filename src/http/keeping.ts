/**
 * What is done to a whole project, or erased of it: `POST /d/<digest>/erase`, `POST /erase`, `POST /rebuild`. Plain forms or
 * JSON; only Errata's own pages may send them. What takes longer than a request is begun, and `/status` says how far it is.
 */
import { readDigest } from "../core/digest.ts";
import type { Digest, ReportId } from "../core/report.ts";
import { fail, ok, type Result } from "../core/result.ts";
import { issueUrl } from "../ui/issue/issue-url.ts";
import { answerChange, type Changed } from "./change.ts";
import { issueErasureOf, projectErasureOf } from "./erasure.ts";
import type { Failure } from "./failures.ts";
import { readFields } from "./fields.ts";
import type { AppContext, Services } from "./services.ts";

/**
 * Erases an issue with its reports (303 to the list; JSON: 202 `{"begun":"erase-issue"}`) or one report alone (303 to its
 * issue; JSON: `{"erased":true}`). 404 for what is not known, 400, 413 or 415 for fields that name nothing; otherwise as
 * `answerChange` says.
 */
export function eraseOfIssue(c: AppContext): Promise<Response> {
  const { keeping, desk } = c.get("services");
  const digest = readDigest(c.req.param("digest") ?? "");
  let formAt = digest.ok ? issueUrl(digest.value) : undefined;
  const act = async () => {
    if (!digest.ok) return fail({ reason: "unknown-digest" });
    const fields = await readFields(c.req.raw);
    const asked = fields.ok ? issueErasureOf(fields.value, digest.value) : fields;
    if (!asked.ok) return asked;
    if (asked.value !== "issue") return eraseReport({ keeping, desk }, digest.value, asked.value);
    const isKnown = await keeping.eraseIssue(digest.value);
    if (isKnown) return begun("erase-issue", "/issues");
    formAt = "/issues";
    return fail({ reason: "unknown-digest" });
  };
  return answerChange(c, act, { formAt: () => formAt });
}

/**
 * Erases a person, or everything. 303 to `/status?begun=<task>`; JSON: 202 `{"begun":"erase-text"}` or
 * `{"begun":"erase-project"}`.
 */
export function eraseOfProject(c: AppContext): Promise<Response> {
  const { keeping } = c.get("services");
  return answerChange(c, async () => {
    const fields = await readFields(c.req.raw);
    const asked = fields.ok ? projectErasureOf(fields.value) : fields;
    if (!asked.ok) return asked;
    if (asked.value === "project") {
      await keeping.eraseProject();
      return begun("erase-project");
    }
    await keeping.erasePerson(asked.value.text);
    return begun("erase-text");
  });
}

/** Has everything made anew from what KV holds. 303 to `/status?begun=rebuild`; JSON: 202 `{"begun":"rebuild"}`. */
export function rebuild(c: AppContext): Promise<Response> {
  const { keeping } = c.get("services");
  return answerChange(c, async () => {
    await keeping.rebuild();
    return begun("rebuild");
  });
}

async function eraseReport(
  { desk, keeping }: Pick<Services, "desk" | "keeping">,
  digest: Digest,
  { report }: { readonly report: ReportId },
): Promise<Result<Changed, Failure>> {
  const issue = await desk.issueNow(digest);
  if (issue === null) return fail({ reason: "unknown-digest" });
  const isShown = issue.latest.some(({ id }) => id === report);
  const isOfIssue = isShown || (await desk.locate(report))?.digest === digest;
  if (!isOfIssue || !(await keeping.eraseReport(report))) return fail({ reason: "unknown-report" });
  return ok({ said: { erased: true }, leadsTo: issueUrl(digest) });
}

/** By default it leads to where the desk says how far it is. */
function begun(task: string, leadsTo = `/status?begun=${task}`): Result<Changed, Failure> {
  return ok({ said: { begun: task }, leadsTo, status: 202 });
}
