/** Erases issues and reports. */

import * as v from "valibot";
import { REQUIRED_ROLES } from "../core/accounts/required-roles.ts";
import { fail, ok } from "../core/result.ts";
import { digestText, idText } from "./inputs.ts";
import { defineOperation } from "./operation.ts";
import { byErrata } from "./provenance.ts";

const ERASURE = { role: REQUIRED_ROLES.erasure, effect: "erase", rate: "change" } as const;

export const eraseIssue = defineOperation({
  ...ERASURE,
  name: "issues.erase",
  summary: "Start to erase an issue with all its reports.",
  route: "DELETE /issues/{digest}",
  input: v.pipe(
    v.strictObject({
      digest: digestText(),
      confirm: digestText("the issue’s digest (confirm), or the id of one report (report)"),
    }),
    v.check(
      ({ digest, confirm }) => digest === confirm,
      "the issue’s digest (confirm), or the id of one report (report)",
    ),
  ),
  output: v.strictObject({ startedJob: byErrata("The name of the job") }),
  reasons: ["unknown-digest"],
  audit: ({ digest }) => ({ text: `erased ${digest} with its reports`, subject: digest }),
  run: async ({ digest }, { services }) =>
    (await services.projectAdmin.eraseIssue(digest))
      ? ok({ startedJob: "erase-issue" })
      : fail({ reason: "unknown-digest" }),
});

export const eraseReport = defineOperation({
  ...ERASURE,
  name: "reports.erase",
  summary: "Erase the contents of a report. Its issue still counts it.",
  route: "DELETE /issues/{digest}/reports/{report}",
  input: v.strictObject({
    digest: digestText(),
    report: idText("a report's id, 32 hex characters (report)"),
  }),
  output: v.strictObject({ erased: v.boolean() }),
  reasons: ["unknown-digest", "unknown-report"],
  audit: ({ digest, report }) => ({
    text: `erased the report ${report} of ${digest}`,
    subject: digest,
  }),
  async run({ digest, report }, { services }) {
    const { projectStore, projectAdmin } = services;
    const issue = await projectStore.getFreshIssue(digest);
    if (issue === null) return fail({ reason: "unknown-digest" });
    const isInLatest = issue.latestReports.some(({ id }) => id === report);
    const location = isInLatest ? { digest, id: report } : await projectStore.locateReport(report);
    const isOfIssue = location?.digest === digest;
    if (!isOfIssue || !(await projectAdmin.eraseReport(location.id ?? report)))
      return fail({ reason: "unknown-report" });
    return ok({ erased: true });
  },
});
