/**
 * Parses a change of annotations, from a form or JSON. It has exactly one of these fields:
 *
 *     comment=<text>     adds a comment      deleteComment=<id>  deletes one
 *     assign=<name>      sets the assignee   unassign=1          removes the assignee
 *     merge=<digests>    merges them into it mergeInto=<digest>  merges it into that issue
 *     split=<digest>     splits off a merged issue
 *     splitByStack=1     splits it by stack  groupTogether=1     ends that
 *
 * Issues are given by digest, in any text that contains one, such as a URL.
 */

import type { AnnotationChange } from "../../../core/issue/annotations.ts";
import { limits } from "../../../core/limits.ts";
import { parseCodes } from "../../../core/lookup/parse-codes.ts";
import type { Digest } from "../../../core/report.ts";
import { ok } from "../../../core/result.ts";
import { expected, type FormFields, type Parsed } from "../../forms/form-body.ts";
import { isReportId, isTrueValue, parseName } from "../../forms/validators.ts";

/** A change, and the issue that it applies to. */
interface RequestedAnnotation {
  readonly digest: Digest;
  readonly change: AnnotationChange | StackChange;
}

/** Starts or ends the split of an issue by stack: a setting of the project, not an annotation. */
export interface StackChange {
  readonly change: "stack";
  readonly do: "split-by-stack" | "group-together";
}

/** Parses a change of the issue `digest`; a comment gets a new id. */
export function parseAnnotationForm(
  fields: FormFields,
  { digest, newId }: { digest: Digest; newId: () => string },
): Parsed<RequestedAnnotation> {
  const [[name, value] = []] = [...fields];
  if (fields.size !== 1) return expected(EXPECTED_FIELD);
  const succeed = (change: RequestedAnnotation["change"]): Parsed<RequestedAnnotation> =>
    ok({ digest, change });
  switch (name) {
    case "comment": {
      const text = parseComment(value);
      return text === undefined
        ? expected(EXPECTED_COMMENT)
        : succeed({ change: "comment", id: newId(), text });
    }
    case "deleteComment":
      return isReportId(value)
        ? succeed({ change: "delete-comment", id: value })
        : expected("the id of a comment");
    case "assign": {
      const to = parseName(value, limits.maxAssigneeChars);
      return to === undefined ? expected(EXPECTED_NAME) : succeed({ change: "assign", to });
    }
    case "unassign":
      return isTrueValue(value) ? succeed({ change: "assign" }) : expected("unassign to be true");
    case "merge": {
      const from = parseOtherDigests(value, digest);
      return from.length > 0
        ? succeed({ change: "merge", from })
        : expected("digests of other issues");
    }
    case "mergeInto": {
      const [into, ...others] = parseOtherDigests(value, digest);
      if (into === undefined || others.length > 0) return expected("the digest of one other issue");
      return ok({ digest: into, change: { change: "merge", from: [digest] } });
    }
    case "split": {
      const [splitDigest, ...others] = parseOtherDigests(value, digest);
      if (splitDigest === undefined || others.length > 0)
        return expected("the digest of one issue that was merged");
      return succeed({ change: "split", digest: splitDigest });
    }
    case "splitByStack":
      return isTrueValue(value)
        ? succeed({ change: "stack", do: "split-by-stack" })
        : expected("splitByStack to be true");
    case "groupTogether":
      return isTrueValue(value)
        ? succeed({ change: "stack", do: "group-together" })
        : expected("groupTogether to be true");
    default:
      return expected(EXPECTED_FIELD);
  }
}

const EXPECTED_FIELD =
  "one of the fields comment, deleteComment, assign, unassign, merge, mergeInto, split, splitByStack and groupTogether, and no others";
const EXPECTED_COMMENT = `a comment of at most ${limits.maxCommentChars} characters`;
const EXPECTED_NAME = `a name of at most ${limits.maxAssigneeChars} characters, without control characters`;

/**
 * The comment with line feeds and without invisible control characters; undefined if it is empty or
 * too long.
 */
function parseComment(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value
    .replace(/\r\n?/g, "\n")
    .replace(/(?![\t\n])\p{Cc}/gu, "")
    .trim();
  return text === "" || text.length > limits.maxCommentChars ? undefined : text;
}

/** The digests in a text or list of texts, without the issue's own; empty if one is misspelled. */
function parseOtherDigests(value: unknown, ownDigest: Digest): readonly Digest[] {
  const texts = Array.isArray(value) ? value : [value];
  if (!texts.every((text) => typeof text === "string")) return [];
  const codes = parseCodes(texts.join("\n"));
  if (codes.some(({ kind }) => kind === "misread")) return [];
  const digests = codes.flatMap((code) =>
    code.kind === "digest" && code.digest !== ownDigest ? [code.digest] : [],
  );
  return [...new Set(digests)];
}
