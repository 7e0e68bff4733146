// Checks the limits of a parsed report member by member, in any format.

import { limits } from "#src/core/limits.ts";
import type { Frame, Json, ParsedReport } from "#src/core/report.ts";

/**
 * The members of a parsed report that exceed their limit, by path (`frames.3.file`). Empty when all
 * are within their limits.
 */
export function listExceededLimits(draft: ParsedReport): readonly string[] {
  const over: string[] = [];
  const check = (path: string, size: number | undefined, max: number) => {
    if (size !== undefined && size > max) over.push(`${path}: ${size} > ${max}`);
  };
  const text = (path: string, value: string | undefined, max: number) =>
    check(path, value?.length, max);
  const frames = (path: string, list: readonly Frame[]) => {
    check(path, list.length, limits.maxFrames);
    for (const [index, frame] of list.entries()) {
      text(`${path}.${index}.function`, frame.function, limits.maxStringChars);
      text(`${path}.${index}.file`, frame.file, limits.maxStringChars);
      text(`${path}.${index}.source`, frame.source, limits.maxStringChars);
      check(`${path}.${index}.before`, frame.sourceBefore?.length, limits.maxSourceLines);
      check(`${path}.${index}.after`, frame.sourceAfter?.length, limits.maxSourceLines);
    }
  };
  text("type", draft.type, limits.maxTypeChars);
  text("message", draft.message, limits.maxMessageChars);
  text("stack", draft.stack, limits.maxStackChars);
  text("componentStack", draft.componentStack, limits.maxComponentStackChars);
  text("request.url", draft.request?.url, limits.maxStringChars);
  text("request.route", draft.request?.route, limits.maxStringChars);
  text("request.userAgent", draft.request?.userAgent, limits.maxStringChars);
  text("release", draft.release, limits.maxStringChars);
  text("environment", draft.environment, limits.maxStringChars);
  frames("frames", draft.frames);
  check("causes", draft.causes?.length, limits.maxCauses);
  for (const [index, cause] of (draft.causes ?? []).entries()) {
    text(`causes.${index}.message`, cause.message, limits.maxMessageChars);
    frames(`causes.${index}.frames`, cause.frames);
  }
  check("headers", draft.request?.headers?.length, limits.maxHeaders);
  for (const [name, value] of draft.request?.headers ?? [])
    text(name, value, limits.maxStringChars);
  check("tags", draft.tags?.length, limits.maxTags);
  for (const tag of draft.tags ?? []) text("tags", tag.join(""), 2 * limits.maxStringChars);
  check("breadcrumbs", draft.breadcrumbs?.length, limits.maxBreadcrumbs);
  for (const crumb of draft.breadcrumbs ?? []) text("crumb", crumb.message, limits.maxStringChars);
  check("aliases", draft.aliases?.length, limits.maxAliasesPerReport);
  check("fingerprint", draft.fingerprint?.length, limits.maxMembers);
  for (const part of draft.fingerprint ?? []) text("fingerprint", part, limits.maxStringChars);
  if (draft.detail !== undefined) check("detail", measureDepth(draft.detail), limits.maxDepth);
  return over;
}

function measureDepth(value: Json): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(measureDepth));
}
