/** Parses a request to erase data. Large erasures require a typed confirmation. */

import { ERASE_PROJECT_CONFIRMATION } from "../../../core/erasure.ts";
import { limits } from "../../../core/limits.ts";
import { isReportId } from "../../../core/report/report-id.ts";
import { ok } from "../../../core/result.ts";
import { expected, type FormFields, type Parsed } from "../../forms/form-body.ts";
import { toSentText } from "../../forms/validators.ts";

/** A whole project, or a previewed text that is confirmed. */
type ProjectErasure =
  | "project"
  | { readonly preview: string; readonly text: string; readonly reports?: number };

/**
 * Takes `project` with the confirmation phrase; or `preview` with the id of a preview, `confirm`
 * with its text, and `reports` with the number of reports if the text is common.
 */
export function parseProjectErasureForm(fields: FormFields): Parsed<ProjectErasure> {
  const { preview, confirm, reports, project } = Object.fromEntries(fields);
  if (fields.size === 1 && project === ERASE_PROJECT_CONFIRMATION) return ok("project");
  const digits = toSentText(reports).replace(/[\s,.]/g, "") || Number.NaN;
  const count = reports === undefined ? undefined : Number(digits);
  const isConfirmed = isReportId(preview) && typeof confirm === "string" && project === undefined;
  if (isConfirmed && (count === undefined || Number.isSafeInteger(count)))
    return ok({ preview, text: confirm.trim(), reports: count });
  return expected(
    `a preview (preview) and its text (confirm), or the words "${ERASE_PROJECT_CONFIRMATION}" (project)`,
  );
}

/** Takes `text`, the text to search for. */
export function parsePreviewForm(fields: FormFields): Parsed<string> {
  const { minErasedTextChars: min, maxErasedTextChars: max } = limits;
  const { text: rawText } = Object.fromEntries(fields);
  const text = fields.size === 1 && typeof rawText === "string" ? rawText.trim() : "";
  return text.length >= min && text.length <= max
    ? ok(text)
    : expected(`a text of ${min} to ${max} characters without surrounding spaces (text)`);
}
