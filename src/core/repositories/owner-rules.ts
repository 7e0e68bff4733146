/**
 * The rules of a project about who owns its issues, one in a line:
 *
 *     # the last rule that matches wins
 *     path:src/cart/** -> @acme/cart
 *     url:/checkout/*  -> Ada Lovelace
 *     assign tag:area=billing -> @acme/billing
 *     assign page path:web/** -> Ada Lovelace
 *
 * `assign` also assigns new issues, of the level `server` unless the rule names a lower one:
 * whoever can send reports of a level can choose the stack, the URL and the tags of an issue. Pure.
 */
import { isPlainText, parseName } from "../plain-text.ts";
import { fail, ok, type Result } from "../result.ts";
import { TRUST_LEVELS, type Trust } from "../trust/trust.ts";
import { matchesGlob, matchesName, parseGlob } from "./path-glob.ts";
import type { MemberHandle } from "./repository.ts";
import { repositoryLimits } from "./repository-limits.ts";

/** What the rules compare of an issue. */
export interface OwnedFacts {
  /** Paths in a repository of the frames of the application, the nearest to the error first. */
  readonly paths: readonly (readonly string[])[];
  /** The URL without its query, and the route. */
  readonly urls: readonly string[];
  readonly tags: readonly (readonly [key: string, value: string])[];
}

/** A rule. */
export interface OwnerRule {
  /** From 1. */
  readonly line: number;
  readonly kind: "path" | "url" | "tag";
  /** `path:src/cart/**` */
  readonly text: string;
  readonly owner: string;
  /** The lowest level of the issues that the rule assigns; absent if it only suggests. */
  readonly assigns?: Trust;
  /** What of the issue matches: the path, the URL, the value of the tag; undefined without any. */
  readonly match: (facts: OwnedFacts) => string | undefined;
}

/** Why a line is no rule. */
export interface InvalidRule {
  readonly reason: "invalid";
  readonly line: number;
  readonly expected: string;
}

const MAX_LINE_CHARS = 600;
const LINE = /^(?:assign(?:\s+(\w+))?\s+)?(path|url|tag):(\S.*?)\s*(?:->|→)\s*(.+)$/;
const EXPECTED = "path:, url: or tag: with a pattern, then -> and an owner";

/** The rules, or the first line that is none. */
export function parseOwnerRules(text: string): Result<readonly OwnerRule[], InvalidRule> {
  const rules: OwnerRule[] = [];
  for (const [n, whole] of text.split(/\r\n?|\n/).entries()) {
    const written = whole.trim();
    if (written === "" || written.startsWith("#")) continue;
    const rule = parseLine(written);
    if (typeof rule === "string")
      return fail({ reason: "invalid", line: n + 1, expected: rule } as const);
    rules.push({ ...rule, line: n + 1 });
    if (rules.length > repositoryLimits.maxRules)
      return fail({
        reason: "invalid",
        line: n + 1,
        expected: `at most ${repositoryLimits.maxRules} rules`,
      } as const);
  }
  return ok(rules);
}

/** True if a rule of the text may assign issues. */
export function hasAssigningRule(text = ""): boolean {
  // Within a line, so that empty lines are read once.
  return /^[^\S\r\n]*assign\s/m.test(text);
}

/** The rule of a line, or what it should be. */
function parseLine(line: string): Omit<OwnerRule, "line"> | string {
  if (line.length > MAX_LINE_CHARS) return `a rule of at most ${MAX_LINE_CHARS} characters`;
  const [, level, kind, pattern = "", name] = LINE.exec(line) ?? [];
  const owner = parseName(name, repositoryLimits.maxHandleChars);
  if (kind === undefined || owner === undefined) return EXPECTED;
  const assigns = /^assign\s/.test(line) ? parseLevel(level) : undefined;
  if (assigns === null) return `assign, or assign with one of ${TRUST_LEVELS.join(", ")}`;
  const match = createMatch(kind, pattern);
  if (typeof match === "string") return match;
  const own = kind as OwnerRule["kind"];
  const rule = { kind: own, text: `${kind}:${pattern}`, owner, match };
  return assigns === undefined ? rule : { ...rule, assigns };
}

function parseLevel(level: string | undefined): Trust | null {
  return level === undefined ? "server" : (TRUST_LEVELS.find((one) => one === level) ?? null);
}

function createMatch(kind: string, pattern: string): OwnerRule["match"] | string {
  if (!isPlainText(pattern, repositoryLimits.maxPathChars)) return EXPECTED;
  switch (kind) {
    case "path": {
      const glob = parseGlob(pattern);
      if (glob === undefined) return "a pattern of paths, such as path:src/cart/**";
      return ({ paths }) => paths.find((path) => matchesGlob(glob, path))?.join("/");
    }
    case "url":
      return createUrlMatch(pattern);
    default: {
      const [, key = "", value = ""] = /^([^=]+)=(.+)$/.exec(pattern) ?? [];
      if (key === "") return "a tag and its value, such as tag:area=billing";
      return ({ tags }) => tags.find(([name, own]) => name === key && matchesName(value, own))?.[1];
    }
  }
}

/** A pattern that begins with a slash is of a path on any host. */
function createUrlMatch(pattern: string): OwnerRule["match"] | string {
  const glob = parseGlob(pattern.replace(/^https?:\/\//, ""));
  if (glob === undefined || !/^(?:\/|https?:\/\/.)/.test(pattern))
    return "a path or a URL, such as url:/checkout/*";
  // A host without a path would be a name in any folder.
  const rooted = parseGlob(`/${pattern.replace(/^https?:\/\//, "")}`) ?? glob;
  const isPath = pattern.startsWith("/");
  return ({ urls }) =>
    urls.find((url) => {
      const whole = url.replace(/[?#].*$/s, "").replace(/^https?:\/\//, "");
      const hasHost = whole.length < url.length && /^https?:\/\//.test(url);
      const names = whole.split("/").filter((name) => name !== "");
      if (isPath) return matchesGlob(glob, hasHost ? names.slice(1) : names);
      return hasHost && matchesGlob(rooted, names);
    });
}

// Members behind the names of CODEOWNERS.

/** `@acme/cart = Ada Lovelace`, one in a line; or the first line that is no such pair. */
export function parseHandles(text: string): Result<readonly MemberHandle[], InvalidRule> {
  const handles: MemberHandle[] = [];
  for (const [n, whole] of text.split(/\r\n?|\n/).entries()) {
    const line = whole.trim();
    if (line === "" || line.startsWith("#")) continue;
    const at = line.indexOf("=");
    const handle = parseName(line.slice(0, Math.max(at, 0)), repositoryLimits.maxHandleChars);
    const member = parseName(line.slice(at + 1), repositoryLimits.maxHandleChars);
    const isFull = handles.length === repositoryLimits.maxHandles;
    if (at === -1 || handle === undefined || member === undefined || isFull)
      return fail({
        reason: "invalid",
        line: n + 1,
        expected: isFull
          ? `at most ${repositoryLimits.maxHandles} names`
          : "a name of CODEOWNERS, = and the name of a member",
      } as const);
    handles.push({ handle, member });
  }
  return ok(handles);
}

/** The text of handles, as people edit it. */
export function formatHandles(handles: readonly MemberHandle[] = []): string {
  return handles.map(({ handle, member }) => `${handle} = ${member}`).join("\n");
}
