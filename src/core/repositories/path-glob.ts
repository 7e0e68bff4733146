/**
 * Globs over paths, as gitignore and CODEOWNERS have them: `*` and `?` within a name, `**` for any
 * folders. Matching takes at most time in proportion to pattern and path, whatever both are. Pure.
 */

import { repositoryLimits } from "./repository-limits.ts";

/** How a pattern is read. */
export interface GlobRules {
  /** True if `docs/a.md` may be in any folder, as in GitLab; else it begins at the root. */
  readonly isFloating?: boolean | undefined;
}

/** A pattern in parts: a name with wildcards, or `**`. */
export interface PathGlob {
  readonly parts: readonly string[];
  /** True if what is below a match counts too. */
  readonly hasBelow: boolean;
}

const ANY_FOLDERS = "**";

/** The glob of a pattern; undefined for a pattern without a name, and for one that is too long. */
export function parseGlob(
  pattern: string,
  { isFloating = false }: GlobRules = {},
): PathGlob | undefined {
  const isRooted = pattern.startsWith("/");
  const isFolder = pattern.endsWith("/");
  if (pattern.length > repositoryLimits.maxPathChars) return undefined;
  const names = pattern.split("/").filter((name) => name !== "");
  if (names.length === 0) return isRooted ? { parts: [ANY_FOLDERS], hasBelow: false } : undefined;
  const isAnywhere = !isRooted && (names.length === 1 || isFloating);
  const parts = [...(isAnywhere ? [ANY_FOLDERS] : []), ...names];
  // `docs/*` has the files of that folder only.
  const isOneLevel = names.at(-1) === "*" && names.length > 1 && !isFolder;
  if (isFolder) return { parts: [...parts, ANY_FOLDERS, "*"], hasBelow: false };
  return { parts, hasBelow: !isOneLevel };
}

/** True if a path has the form of the glob, or is below a folder that has it. */
export function matchesGlob({ parts, hasBelow }: PathGlob, path: readonly string[]): boolean {
  // The last `**` may take one folder more, until the rest matches: no earlier one needs to.
  let [at, from] = [0, 0];
  let retry: { readonly part: number; readonly from: number } | undefined;
  while (from < path.length) {
    const part = parts[at];
    if (part === undefined && hasBelow) return true;
    if (part === ANY_FOLDERS) {
      retry = { part: at, from };
      at++;
    } else if (part !== undefined && matchesName(part, path[from] ?? "")) {
      at++;
      from++;
    } else if (retry !== undefined) {
      retry = { part: retry.part, from: retry.from + 1 };
      [at, from] = [retry.part + 1, retry.from];
    } else return false;
  }
  while (parts[at] === ANY_FOLDERS) at++;
  return at === parts.length;
}

/** True if a text matches a pattern with `*`, `?`, and `\` before a literal character. */
export function matchesName(pattern: string, text: string): boolean {
  // Most patterns end with an extension that most names do not have.
  const last = pattern.at(-1) ?? "";
  if (!/[*?\\]/.test(last) && !text.endsWith(last)) return false;
  let [at, from] = [0, 0];
  let retry: { readonly star: number; readonly from: number } | undefined;
  while (from < text.length) {
    const sign = pattern[at];
    const literal = sign === "\\" ? pattern[at + 1] : sign;
    if (sign === "*") {
      retry = { star: at, from };
      at++;
    } else if (sign === "?" || (literal !== undefined && literal === text[from])) {
      at += sign === "\\" ? 2 : 1;
      from++;
    } else if (retry !== undefined) {
      retry = { star: retry.star, from: retry.from + 1 };
      [at, from] = [retry.star + 1, retry.from];
    } else return false;
  }
  while (pattern[at] === "*") at++;
  return at >= pattern.length;
}
