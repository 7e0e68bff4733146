/** Counts what an erasure of a text would change. It reads what the erasure would read. */
import { addErasureCounts } from "../../../core/erasure.ts";
import { forEachConcurrently } from "../../for-each-concurrently.ts";
import { parseChunkKey } from "../../kv/keys.ts";
import { countComments, listIssuesWithText } from "../state/erase-text.ts";
import { createCollectPhases, type EraseJobDeps } from "./erase-job.ts";
import type { Phase } from "./job-runner.ts";
import { isSkipped } from "./job-table.ts";

/** As many as an erasure processes in a step. */
const CHUNKS_PER_STEP = 20;
/** Noted issues that one step deletes: some milliseconds of CPU. */
const ISSUES_PER_STEP = 1_000;

/** The phases of the preview of an erasure. */
export function createPreviewPhases(
  deps: EraseJobDeps,
  { id, text }: { readonly id: string; readonly text: string },
): readonly Phase[] {
  const { project, tables, table, objects } = deps;
  const { erasures } = tables;
  const countInChunks: Phase = {
    name: "chunks",
    async runStep({ done, logs, found }) {
      const keys = table.listNextKeys(CHUNKS_PER_STEP);
      if (keys.length === 0) return {};
      let counts = addErasureCounts(found, {});
      await forEachConcurrently(keys, async (jobKey) => {
        const parsed = isSkipped(jobKey, logs) ? null : parseChunkKey(project, jobKey.key);
        if (parsed === null) return;
        const { digests, ...chunk } = await objects
          .log(jobKey.shard ?? "")
          .countMatches(parsed, text);
        counts = addErasureCounts(counts, chunk);
        erasures.addIssues(id, digests);
      });
      // Removed together with the new state, so that a repeated step counts each chunk once.
      for (const { key } of keys) table.removeKey(key);
      const changes = { done: done + keys.length, found: counts };
      return { cursor: "next", operations: keys.length, changes };
    },
  };
  return [
    ...createCollectPhases(deps, () => true),
    countInChunks,
    {
      name: "issues",
      async runStep({ cursor }) {
        const { digests, next } = listIssuesWithText(tables, text, cursor);
        erasures.addIssues(id, digests);
        return { cursor: next };
      },
    },
    {
      name: "triage",
      async runStep({ cursor, found }) {
        const { comments, next } = countComments(tables, text, cursor);
        return { cursor: next, changes: { found: addErasureCounts(found, { comments }) } };
      },
    },
    {
      name: "source-maps",
      async runStep({ cursor, found }) {
        const { uploads, next } = await objects.sourceMaps.findText(text, cursor);
        const changes = { found: addErasureCounts(found, { uploads }) };
        return { cursor: next, operations: 1, changes };
      },
    },
    {
      name: "result",
      async runStep({ cursor, found }) {
        if (cursor === undefined) erasures.saveFound(id, addErasureCounts(found, {}));
        return erasures.forgetIssues(id, ISSUES_PER_STEP) ? { cursor: "next" } : {};
      },
    },
  ];
}
