/**
 * Members of inputs. A description completes "Expected …": it is also the error of the member, and
 * nothing that was sent is in it.
 */
import * as v from "valibot";
import { parseTimeMs } from "../core/decode/as-type.ts";
import { parseDigest } from "../core/grouping/parse-digest.ts";
import { ISSUE_SORTS } from "../core/issue/issue-query.ts";
import { limits } from "../core/limits.ts";
import { isPlainText, parseName } from "../core/plain-text.ts";
import type { Digest } from "../core/report.ts";
import { list } from "../core/schema/stored-object.ts";
import { truncateOneLine } from "../core/truncate.ts";
import type { InputSchema } from "./operation.ts";

/** The digest of an issue, in any spelling. */
export const digestText = (about = "the digest of an issue, such as 7F3K-Q2M9") =>
  v.pipe(
    v.string(),
    v.description(about),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const digest = parseDigest(dataset.value);
      if (digest.ok) return digest.value;
      addIssue();
      return NEVER;
    }),
  );

/** From 1 to `max` digests, each once. */
export const digestList = (max: number, about: string) =>
  v.pipe(
    list(digestText()),
    v.transform((digests): readonly Digest[] => [...new Set(digests)]),
    v.minLength(1),
    v.maxLength(max),
    v.description(about),
  );

/** Text without control characters. */
export const plainText = (max: number, about: string) =>
  v.pipe(
    v.string(),
    v.maxLength(max),
    v.check((text) => isPlainText(text, max)),
    v.description(`${about} of at most ${max} characters, without control characters`),
  );

/** A name that others see, trimmed (`parseName`). */
export const nameText = (max: number, about: string) =>
  v.pipe(
    v.string(),
    v.description(`${about} of at most ${max} characters, without control characters`),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const name = parseName(dataset.value, max);
      if (name !== undefined) return name;
      addIssue();
      return NEVER;
    }),
  );

/** A query of the issue list. */
export const issueQueryText = () =>
  v.pipe(
    v.string(),
    v.maxLength(limits.maxFormBytes),
    v.description("a query, such as is:open release:1.4"),
  );

/** The order of an issue list. */
export const issueSort = () =>
  v.pipe(v.picklist(ISSUE_SORTS), v.description(`a sort: ${ISSUE_SORTS.join(", ")}`));

/** The name of a release, as reports have it (`truncateOneLine`). */
export const releaseText = (about = "a release of") =>
  v.pipe(
    v.string(),
    v.nonEmpty(),
    v.maxLength(limits.maxReleaseChars),
    v.transform((name) => truncateOneLine(name, limits.maxReleaseChars)),
    v.description(`${about} at most ${limits.maxReleaseChars} characters`),
  );

/** A time in ISO 8601, in Unix ms: `2026-11-29T10:20:30Z`. Without a zone, it is UTC. */
export const timeText = (about: string) =>
  v.pipe(
    v.string(),
    v.description(`${about}, a time such as 2026-11-29T10:20:30Z`),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const ms = parseTimeMs(dataset.value);
      if (ms !== undefined) return ms;
      addIssue();
      return NEVER;
    }),
  );

/** A whole number. */
export const integer = (min: number, max: number, about: string) =>
  v.pipe(
    v.number(),
    v.integer(),
    v.minValue(min),
    v.maxValue(max),
    v.description(`${about}, a whole number from ${min} to ${max}`),
  );

/** The id of a rule or a destination of alerts. Programs choose the ids of new ones. */
export const alertIdText = (about: string) =>
  v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/), v.description(about));

/** 32 lowercase hex characters. */
export const idText = (about: string) =>
  v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/), v.description(about));

/** The type of a member of an input, also of an optional one: `number`. Undefined without one. */
export function getMemberType(input: InputSchema, name: string): string | undefined {
  const entry: { readonly type: string; readonly wrapped?: { readonly type: string } } | undefined =
    Object.hasOwn(input.entries, name) ? input.entries[name] : undefined;
  return entry?.wrapped?.type ?? entry?.type;
}
