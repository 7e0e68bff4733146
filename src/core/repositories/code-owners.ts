/**
 * CODEOWNERS: which people and teams own the files of a repository. Sources: docs.github.com,
 * "About code owners"; docs.gitlab.com, "Code Owners syntax". Lines that are no rules are skipped,
 * as these services do. Pure.
 */
import { matchesGlob, type PathGlob, parseGlob } from "./path-glob.ts";
import type { CodeOwnersFile } from "./repository.ts";
import { repositoryLimits } from "./repository-limits.ts";

/** A line of CODEOWNERS. */
export interface CodeOwnersRule {
  /** From 1. */
  readonly line: number;
  /** As in the file. */
  readonly pattern: string;
  readonly glob: PathGlob;
  /** `@ada`, `@acme/cart`, `ada@example.com`; none if nobody owns the files. */
  readonly owners: readonly string[];
  /** The section of GitLab, in lower case; empty without any. */
  readonly section: string;
}

const MAX_OWNER_CHARS = 254;
const OWNER = /^(?:@@?[\w.-]+(?:\/[\w./-]+)?|[^\s@]+@[^\s@]+\.[^\s@]+)$/;
/** `^[Section][2] @default`: an optional section, its approvals, and its owners. */
const SECTION = /^\^?\[([^\]]+)\](?:\[\d+\])?\s*(.*)$/;

/** The rules in the order of the file. */
export function parseCodeOwners({
  text,
  path,
}: Pick<CodeOwnersFile, "text" | "path">): readonly CodeOwnersRule[] {
  const lines = text.slice(0, repositoryLimits.maxCodeOwnersBytes).split(/\r\n?|\n/);
  const isGitLab = path.startsWith(".gitlab/") || lines.some((line) => isSection(line.trim()));
  let section = "";
  let defaults: readonly string[] = [];
  return lines.flatMap((whole, n) => {
    const line = whole.trim();
    if (line === "" || line.startsWith("#")) return [];
    const [, name, owners = ""] = (isGitLab && isSection(line) && SECTION.exec(line)) || [];
    if (name !== undefined) {
      section = name.trim().toLowerCase();
      defaults = readOwners(splitWords(owners)) ?? [];
      return [];
    }
    const rule = parseRule(line, defaults, isGitLab);
    return rule === undefined ? [] : [{ ...rule, line: n + 1, section }];
  });
}

/** A section, and no folder such as `[id]/page.tsx` or `[id] @ada`. */
function isSection(line: string): boolean {
  const [, , owners = ""] = SECTION.exec(line) ?? [undefined, undefined, "/"];
  return splitWords(owners).every(isOwner);
}

function isOwner(word: string): boolean {
  return word.length <= MAX_OWNER_CHARS && OWNER.test(word);
}

/** A pattern, and its owners. */
function parseRule(line: string, defaults: readonly string[], isFloating: boolean) {
  // GitHub and GitLab do not know negation.
  if (line.startsWith("!")) return undefined;
  const [pattern = "", ...words] = splitWords(line);
  const glob = parseGlob(unescapePattern(pattern), { isFloating });
  const owners = words.length === 0 ? defaults : readOwners(words);
  return glob === undefined || owners === undefined ? undefined : { pattern, glob, owners };
}

/** Those of the words that are owners; undefined if there are words, but no owners. */
function readOwners(words: readonly string[]): readonly string[] | undefined {
  const owners = words.filter(isOwner);
  if (owners.length === 0 && words.length > 0) return undefined;
  return [...new Set(owners)].slice(0, repositoryLimits.maxOwnersPerRule);
}

/** The words before a comment. A backslash escapes a space, and the sign of a comment. */
function splitWords(line: string): readonly string[] {
  const words = line.match(/(?:\\.|[^\s\\])+/g) ?? [];
  const comment = words.findIndex((word) => word.startsWith("#"));
  return comment === -1 ? words : words.slice(0, comment);
}

/** Wildcards keep their backslash. */
function unescapePattern(pattern: string): string {
  return pattern.replace(/\\([^*?\\])/g, "$1");
}

/** The owners of a file. */
export interface FoundOwners {
  readonly owners: readonly string[];
  /** The rule of the first section that has owners. */
  readonly rule: CodeOwnersRule;
}

/**
 * The owners of a file by the last rule that matches it, in each section; undefined without any. A
 * rule without owners removes those of earlier rules.
 */
export function findOwners(
  rules: readonly CodeOwnersRule[],
  path: readonly string[],
): FoundOwners | undefined {
  const bySection = new Map<string, CodeOwnersRule>();
  for (const rule of rules) if (matchesGlob(rule.glob, path)) bySection.set(rule.section, rule);
  const found = [...bySection.values()].filter(({ owners }) => owners.length > 0);
  const [rule] = found;
  if (rule === undefined) return undefined;
  return { owners: [...new Set(found.flatMap(({ owners }) => owners))], rule };
}
