/** Merges the resolve requests of several reports into one RPC. Pure. */
import type { DebugImage } from "../../report/debug-images.ts";
import type { FrameResolution, ResolveRequest, StackOrigin } from "../resolution.ts";

/** One request, and the indices of its reports. */
export interface MergedRequest {
  readonly request: ResolveRequest;
  /** The reports in the order of their stacks; `stacks` is the number of stacks of each. */
  readonly parts: readonly { readonly index: number; readonly stacks: number }[];
}

/**
 * One request for all reports of a build, if they name the same debug id for each file. Reports
 * without a request are left out.
 */
export function mergeRequests(
  requests: readonly (ResolveRequest | null)[],
): readonly MergedRequest[] {
  const merged: MergedRequest[] = [];
  for (const [index, request] of requests.entries()) {
    if (request === null) continue;
    const at = merged.findIndex((other) => isSameBuild(other.request, request));
    const previous = merged[at];
    const part = { index, stacks: request.stacks.length };
    if (previous === undefined) merged.push({ request, parts: [part] });
    else
      merged[at] = { request: join(previous.request, request), parts: [...previous.parts, part] };
  }
  return merged;
}

/** Splits the answer to a merged request into the answers of its reports, by their index. */
export function splitResponse<Answer extends readonly FrameResolution[]>(
  { parts }: MergedRequest,
  answers: readonly Answer[],
): ReadonlyMap<number, readonly Answer[]> {
  let from = 0;
  return new Map(
    parts.map(({ index, stacks }) => {
      from += stacks;
      return [index, answers.slice(from - stacks, from)];
    }),
  );
}

function isSameBuild(a: ResolveRequest, b: ResolveRequest): boolean {
  if (a.release !== b.release || a.dist !== b.dist) return false;
  const ids = toIds(a.images);
  return [...toIds(b.images)].every(([file, own]) => (ids.get(file) ?? own) === own);
}

function join(a: ResolveRequest, b: ResolveRequest): ResolveRequest {
  const ids = toIds(a.images);
  return {
    ...a,
    stacks: [...a.stacks, ...b.stacks],
    origins: [...listOrigins(a), ...listOrigins(b)],
    images: [...a.images, ...b.images.filter(({ file }) => !ids.has(file))],
  };
}

function listOrigins({ stacks, origins = [] }: ResolveRequest): readonly StackOrigin[] {
  return stacks.map((_, n) => origins[n] ?? {});
}

/** The ids of each file as one text. */
function toIds(images: readonly DebugImage[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const { file, debugId } of images) ids.set(file, `${ids.get(file) ?? ""} ${debugId}`);
  return ids;
}
