/**
 * What is to be done with several issues of the list: the selected `digest`s and what, as a form or as JSON sends it. A program
 * says the `state` with its conditions, as for one issue; a form's button says all of it in one word, `do`.
 */
import type { Choice } from "../core/decision.ts";
import { readDigest } from "../core/digest.ts";
import { limits } from "../core/limits.ts";
import type { Digest } from "../core/report.ts";
import { fail, ok, type Result } from "../core/result.ts";
import { choiceOf } from "./choice.ts";
import type { SelectionFailure } from "./failures.ts";
import { readFields } from "./fields.ts";

/** One decision about all of them, or that the others are the first one. */
export interface Selection {
  readonly digests: readonly Digest[];
  readonly choice: Choice | "merge";
  /** Where the form stood: whatever was sent. */
  readonly back: unknown;
}

/** What the words of the buttons mean. */
const WORDS: Readonly<Record<string, Selection["choice"]>> = {
  resolve: { state: "resolved" },
  "resolve-next": { state: "resolved", inNext: true },
  ignore: { state: "ignored" },
  mute: { state: "muted" },
  reopen: { state: "open" },
  merge: "merge",
};

/** The selection in the body of a request. Consumes the request. Never rejects. */
export async function readSelection(
  request: Request,
): Promise<Result<Selection, SelectionFailure>> {
  const fields = await readFields(request, "digest");
  if (!fields.ok) return fields;
  const { digest, do: word, back, ...others } = Object.fromEntries(fields.value);
  const digests = digestsOf(digest);
  if (digests === undefined)
    return bad(`1 to ${limits.maxIssuesPerDecision} digests of issues, in the field digest`);
  if (word === undefined) {
    const choice = choiceOf(new Map(Object.entries(others)));
    return choice.ok ? ok({ digests, choice: choice.value, back }) : choice;
  }
  const choice = Object.entries(WORDS).find(([name]) => name === word)?.[1];
  if (choice === undefined || Object.keys(others).length > 0)
    return bad(`in do one of ${Object.keys(WORDS).join(", ")}, and nothing beside it`);
  return ok({ digests, choice, back });
}

/** Each digest once; undefined for what is no list of them. */
function digestsOf(sent: unknown): readonly Digest[] | undefined {
  const all: unknown[] = Array.isArray(sent) ? sent : [sent];
  const read = all.map((one) => readDigest(typeof one === "string" ? one : ""));
  const digests = new Set(read.filter((one) => one.ok).map(({ value }) => value));
  const isGood = read.every((one) => one.ok) && digests.size > 0;
  return isGood && digests.size <= limits.maxIssuesPerDecision ? [...digests] : undefined;
}

function bad(expected: string): Result<never, SelectionFailure> {
  return fail({ reason: "bad-selection", expected });
}
