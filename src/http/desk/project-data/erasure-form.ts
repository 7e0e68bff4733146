/** Parses a request to erase data. Large erasures require a typed confirmation. */
import { parseDigest } from "../../../core/grouping/digest.ts";
import { limits } from "../../../core/limits.ts";
import type { Digest, ReportId } from "../../../core/report.ts";
import { ok } from "../../../core/result.ts";
import { ERASE_PROJECT_CONFIRMATION } from "../../../ui/status/erase-confirmation.ts";
import { expected, type FormFields, type Parsed } from "../../forms/form-body.ts";
import { isReportId } from "../../forms/validators.ts";

/** An issue, or one of its reports. */
type IssueErasure = "issue" | { readonly report: ReportId };

/** A whole project, or every report that contains a text. */
type ProjectErasure = "project" | { readonly text: string };

/** Takes `confirm` with the issue's digest in any spelling, or `report` with an id. */
export function parseIssueErasureForm(fields: FormFields, digest: Digest): Parsed<IssueErasure> {
  const { confirm, report } = Object.fromEntries(fields);
  const hasOneField = fields.size === 1;
  if (hasOneField && report !== undefined) {
    return isReportId(report)
      ? ok({ report })
      : expected("a report's id, 32 hex characters (report)");
  }
  const typedDigest = hasOneField && typeof confirm === "string" ? parseDigest(confirm) : undefined;
  return typedDigest?.ok && typedDigest.value === digest
    ? ok("issue")
    : expected("the issue's digest (confirm), or the id of one report (report)");
}

/** Takes `text`, or `project` with the confirmation phrase. */
export function parseProjectErasureForm(fields: FormFields): Parsed<ProjectErasure> {
  const { text, project } = Object.fromEntries(fields);
  const hasOneField = fields.size === 1;
  if (hasOneField && project === ERASE_PROJECT_CONFIRMATION) return ok("project");
  if (hasOneField && text !== undefined) return parseText(text);
  return expected(`a text to erase (text), or the words "${ERASE_PROJECT_CONFIRMATION}" (project)`);
}

function parseText(rawText: unknown): Parsed<ProjectErasure> {
  const { minErasedTextChars: min, maxErasedTextChars: max } = limits;
  const text = typeof rawText === "string" ? rawText.trim() : "";
  return text.length >= min && text.length <= max
    ? ok({ text })
    : expected(`a text of ${min} to ${max} characters without surrounding spaces (text)`);
}
