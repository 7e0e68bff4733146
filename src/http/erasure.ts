/**
 * What somebody asked to be erased, in the fields that a form or a program sends. What erases much is typed out, so that nobody
 * does it by a slip.
 */
import { readDigest } from "../core/digest.ts";
import { limits } from "../core/limits.ts";
import type { Digest, ReportId } from "../core/report.ts";
import { fail, ok, type Result } from "../core/result.ts";
import { ERASE_EVERYTHING } from "../ui/erase-words.ts";
import type { ErasureFailure } from "./failures.ts";
import { isId } from "./field-values.ts";
import type { Fields } from "./fields.ts";

/** Of an issue: the whole, or one of its reports. */
export type IssueErasure = "issue" | { readonly report: ReportId };

/** Of a project: everything, or every report in which a text stands. */
export type ProjectErasure = "project" | { readonly text: string };

/** `confirm` with the issue's digest, in any of its spellings, or `report` with an id. */
export function issueErasureOf(
  fields: Fields,
  digest: Digest,
): Result<IssueErasure, ErasureFailure> {
  const { confirm, report } = Object.fromEntries(fields);
  const isOne = fields.size === 1;
  if (isOne && report !== undefined) {
    return isId(report) ? ok({ report }) : bad("a report's id, 32 hex characters (report)");
  }
  const typed = isOne && typeof confirm === "string" ? readDigest(confirm) : undefined;
  return typed?.ok && typed.value === digest
    ? ok("issue")
    : bad("the issue's digest, typed out (confirm), or the id of one report (report)");
}

/** `person` with a text, or `project` with the words that erase everything. */
export function projectErasureOf(fields: Fields): Result<ProjectErasure, ErasureFailure> {
  const { person, project } = Object.fromEntries(fields);
  const isOne = fields.size === 1;
  if (isOne && project === ERASE_EVERYTHING) return ok("project");
  if (isOne && person !== undefined) return textOf(person);
  return bad(`a person's text (person), or the words "${ERASE_EVERYTHING}" (project)`);
}

function textOf(person: unknown): Result<ProjectErasure, ErasureFailure> {
  const { minErasedTextChars: min, maxErasedTextChars: max } = limits;
  const text = typeof person === "string" ? person.trim() : "";
  return text.length >= min && text.length <= max
    ? ok({ text })
    : bad(`a text of ${min} to ${max} characters (person), spaces around it not counted`);
}

function bad(expected: string): Result<never, ErasureFailure> {
  return fail({ reason: "bad-erasure", expected });
}
