/**
 * Who should fix an issue: by the rules of the project, otherwise by CODEOWNERS. Both see the
 * report with the stack in the original source. Pure.
 */
import type { Report } from "../report.ts";
import type { FrameResolution } from "../symbolication/resolution.ts";
import { isAtLeast, type Trust } from "../trust/trust.ts";
import { toCodeFrame } from "./code-frame.ts";
import { type CodeOwnersRule, findOwners, parseCodeOwners } from "./code-owners.ts";
import { type OwnedFacts, type OwnerRule, parseOwnerRules } from "./owner-rules.ts";
import type { CodeOwnersFile, CodeSettings, MemberHandle } from "./repository.ts";
import type { CodeFinder } from "./source-link.ts";

/** A suggested owner, and why. */
export interface SuggestedOwner {
  /** `@acme/cart`, an email address or the name of a member, as the rule has them. */
  readonly owners: readonly string[];
  /** The member that one of them stands for; absent if none is known. */
  readonly member?: string;
  /** Where the rule is. */
  readonly source: "rules" | "codeowners";
  /** `path:src/cart/**`, or the pattern in CODEOWNERS. */
  readonly pattern: string;
  /** The line of the rule, from 1. */
  readonly line: number;
  /** The path, URL or value that matches. */
  readonly matched: string;
  /** The level of the issues that the rule assigns; absent if it only suggests. */
  readonly assigns?: Trust;
}

/** Frames of the application whose owners are asked for. */
const MAX_FRAMES = 10;

/** What the rules compare of a report. */
export function toOwnedFacts(
  report: Report,
  resolutions: readonly (readonly FrameResolution[])[],
  { findPath }: CodeFinder,
): OwnedFacts {
  const { frames, causes = [], request, tags = [] } = report;
  const stacks = [frames, ...causes.map((cause) => cause.frames)];
  const paths = stacks.flatMap((stack, nth) =>
    stack.flatMap((frame, n) => {
      const found = findPath(toCodeFrame(frame, resolutions[nth]?.[n]));
      return found === undefined ? [] : [found.segments];
    }),
  );
  const urls = [request?.url, request?.route].filter((url) => url !== undefined);
  return { paths: paths.slice(0, MAX_FRAMES), urls, tags };
}

/** Undefined if no rule matches. `members` are the names of the members of the project. */
export function suggestOwner(
  facts: OwnedFacts,
  { settings, codeOwners }: CodeSettings,
  members?: readonly string[],
): SuggestedOwner | undefined {
  const found = matchRules(facts, readRules(settings.rules?.text ?? ""));
  const suggested = found ?? matchCodeOwners(facts, codeOwners);
  if (suggested === undefined) return undefined;
  const member = findMember(suggested.owners, settings.handles, members);
  return member === undefined ? suggested : { ...suggested, member };
}

/** True if the rule of a suggestion assigns issues of this level to a member. */
export function isAssigning({ assigns, member }: SuggestedOwner, trust: Trust): boolean {
  return assigns !== undefined && member !== undefined && isAtLeast(trust, assigns);
}

function matchRules(facts: OwnedFacts, rules: readonly OwnerRule[]): SuggestedOwner | undefined {
  for (const { match, owner, text, line, assigns } of rules.toReversed()) {
    const matched = match(facts);
    if (matched === undefined) continue;
    const found = { owners: [owner], source: "rules", pattern: text, line, matched } as const;
    return assigns === undefined ? found : { ...found, assigns };
  }
  return undefined;
}

function matchCodeOwners(
  { paths }: OwnedFacts,
  files: readonly CodeOwnersFile[],
): SuggestedOwner | undefined {
  for (const path of paths) {
    // The newest file comes last.
    for (const file of files.toReversed()) {
      const found = findOwners(readCodeOwners(file), path);
      if (found === undefined) continue;
      const { owners, rule } = found;
      const { pattern, line } = rule;
      return { owners, source: "codeowners", pattern, line, matched: path.join("/") };
    }
  }
  return undefined;
}

/** The first owner that is a member, by the table of the project or by name. */
export function findMember(
  owners: readonly string[],
  handles: readonly MemberHandle[] = [],
  members?: readonly string[],
): string | undefined {
  const isMember = (name: string) => members === undefined || members.includes(name);
  for (const owner of owners) {
    const own = owner.toLowerCase();
    const named = handles.find(({ handle }) => handle.toLowerCase() === own)?.member;
    if (named !== undefined && isMember(named)) return named;
    const same = members?.find((name) => name.toLowerCase() === own.replace(/^@/, ""));
    if (same !== undefined) return same;
  }
  return undefined;
}

// The parsed texts of the last calls: pages ask for the same ones again.

const MAX_PARSED = 16;

function remember<Key, Value>(parse: (text: Key) => Value, toText: (key: Key) => string) {
  const parsed = new Map<string, Value>();
  return (key: Key): Value => {
    const text = toText(key);
    const known = parsed.get(text) ?? parse(key);
    parsed.delete(text);
    parsed.set(text, known);
    const [oldest] = parsed.keys();
    if (parsed.size > MAX_PARSED && oldest !== undefined) parsed.delete(oldest);
    return known;
  };
}

/** None if a text that an erasure changed is no longer valid. */
const readRules = /* @__PURE__ */ remember(
  (text: string): readonly OwnerRule[] => {
    const rules = parseOwnerRules(text);
    return rules.ok ? rules.value : [];
  },
  (text) => text,
);

const readCodeOwners = /* @__PURE__ */ remember(
  (file: CodeOwnersFile): readonly CodeOwnersRule[] => parseCodeOwners(file),
  ({ path, text }) => `${path}\n${text}`,
);
