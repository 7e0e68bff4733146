/** Reads issues as messages state them: with their place, their flood and who resolved them. */
import type { AlertedFacts } from "../../core/alerts/alerted-facts.ts";
import { isFolded } from "../../core/flood/flood.ts";
import type { Issue } from "../../core/issue/issue.ts";
import type { Digest } from "../../core/report.ts";
import { truncateOneLine } from "../../core/truncate.ts";
import type { PlaceResolver } from "./places/place-resolver.ts";
import type { IndexTables } from "./state/index-tables.ts";

/** Of a comment in the inbox. */
const MAX_COMMENT_CHARS = 200;

/**
 * The issues in the order of the digests; null for those that do not exist. With the beginnings of
 * those of `comments`, ids, that are theirs.
 */
export async function readAlertedIssues(
  tables: IndexTables,
  places: PlaceResolver,
  digests: readonly Digest[],
  comments: readonly string[] = [],
): Promise<readonly ((Issue & AlertedFacts) | null)[]> {
  // The message of a new issue shows its place.
  await places.resolve(digests);
  const floods = tables.floods.listFloods(Date.now());
  return digests.map((digest) => {
    const issue = tables.issues.get(digest);
    if (issue === undefined) return null;
    return {
      ...issue,
      isFolded: isFolded(issue, floods) ? true : undefined,
      resolvedBy:
        issue.decision?.regressedAtMs === undefined ? undefined : findResolver(tables, digest),
      ...(comments.length > 0 && { comments: findComments(tables, digest, comments) }),
    };
  });
}

function findComments(
  { annotations }: IndexTables,
  digest: Digest,
  ids: readonly string[],
): Readonly<Record<string, string>> {
  const texts = annotations
    .getOrEmpty(digest)
    .activity.flatMap((entry) =>
      entry.action === "commented" && ids.includes(entry.id)
        ? [[entry.id, truncateOneLine(entry.text, MAX_COMMENT_CHARS)]]
        : [],
    );
  return Object.fromEntries(texts) as Readonly<Record<string, string>>;
}

/** Who resolved the issue last. */
export function findResolver({ annotations }: IndexTables, digest: Digest): string | undefined {
  const { activity } = annotations.getOrEmpty(digest);
  return activity.findLast(({ action }) => action === "resolved")?.by;
}
