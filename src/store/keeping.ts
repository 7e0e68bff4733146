/** The Worker's side of what is done to a whole project: asked of the index, which goes on with it, and exports read from KV. */
import type { Decided } from "../core/decision.ts";
import type { Keeping, RestoredLine } from "../core/ports.ts";
import type { Digest, ReportId } from "../core/report.ts";
import type { Bindings } from "../env.ts";
import { type ChunkLines, chunkLinesOf } from "./chunk-lines.ts";
import { chunkKey, dayOfHour, shardOf } from "./keys.ts";
import { objectsOf, type StoreFacts } from "./objects.ts";
import { listChunks, readChunk } from "./record.ts";
import { parseStoredReport, parseSumLine, parseTallyLine } from "./stored.ts";
import type { Task } from "./tasks.ts";

/** What is kept, and how what waits beside the log is fed to it: nothing may come back that was erased. */
export interface KeepingFacts extends StoreFacts {
  readonly feed: () => Promise<void>;
}

/** The keeping of one project over `shards` objects. */
export function createKeeping(
  bindings: Pick<Bindings, "KV" | "PROJECT_INDEX" | "REPORT_LOG">,
  facts: KeepingFacts,
): Keeping {
  const { project, shards, nowMs } = facts;
  const { KV: kv } = bindings;
  const { index, shard: log } = objectsOf(bindings, facts);

  /** Every chunk once: from KV, and from the logs what they still hold. */
  async function* chunks(day?: string): AsyncGenerator<ChunkLines> {
    const seen = new Set<string>();
    const left: { readonly key: string; readonly shard: string; readonly chunk: number }[] = [];
    for (const shard of await index().shards()) {
      const { held, copied } = await log(shard).cut();
      for (const { chunk, hour } of [...held, ...copied]) {
        if (day !== undefined && dayOfHour(hour) !== day) continue;
        const key = chunkKey(project, { hour, shard, chunk });
        if (!seen.has(key)) left.push({ key, shard, chunk });
        seen.add(key);
      }
    }
    for await (const page of listChunks(kv, project, day)) {
      for (const { key } of page.filter((chunk) => !seen.has(chunk.key))) {
        yield chunkLinesOf((await readChunk(kv, key)) ?? []);
      }
    }
    for (const { key, shard, chunk } of left) {
      const held = await log(shard).held(chunk);
      // It may have been copied since.
      const isHere = held.lines.length > 0;
      yield isHere ? held : chunkLinesOf((await readChunk(kv, key)) ?? []);
    }
  }

  return {
    rebuild: () => begin({ kind: "rebuild" }),

    async eraseReport(id: ReportId): Promise<boolean> {
      await facts.feed();
      return index().eraseReport(id);
    },

    async eraseIssue(digest: Digest): Promise<boolean> {
      const issue = await index().issue(digest);
      if (issue === null) return false;
      await begin({ kind: "erase-issue", digest, aliases: issue.aliases });
      return true;
    },

    erasePerson: (text: string) => begin({ kind: "erase-text", text }),

    eraseProject: () => begin({ kind: "erase-project" }),

    async *exportLines(day?: string): AsyncGenerator<string> {
      const exportedAt = new Date(nowMs()).toISOString();
      yield JSON.stringify({ errata: 1, project, exportedAt, ...(day !== undefined && { day }) });
      let count = 0;
      for (const { digest, decision } of await index().decisions()) {
        yield JSON.stringify({ decision: 1, digest, ...decision });
        count++;
      }
      for await (const chunk of chunks(day)) {
        for (const line of exportedLines(chunk)) {
          yield line;
          count++;
        }
      }
      yield JSON.stringify({ end: 1, lines: count });
    },

    async restore(lines: readonly RestoredLine[]): Promise<number> {
      const perShard = Map.groupBy(lines, ({ ids: [id = ""] }) => shardOf(id, shards));
      const counts = await Promise.all(
        [...perShard].map(([shard, its]) => log(shard).restore(its)),
      );
      return counts.reduce((sum, count) => sum + count, 0);
    },

    async restoreDecisions(decisions: readonly Decided[]): Promise<void> {
      await index().restoreDecisions(decisions);
    },
  };

  async function begin(task: Task): Promise<void> {
    await facts.feed();
    await index().begin(task);
  }
}

/** The lines of a chunk that say something, a sum with the ids that it stands for. */
function* exportedLines({ lines, placed }: ChunkLines): Generator<string> {
  const idsOfLine = Map.groupBy(placed, ({ line }) => line);
  for (const [n, line] of lines.entries()) {
    const sum = parseSumLine(line);
    if (sum !== null) {
      yield JSON.stringify({ ...sum, ids: (idsOfLine.get(n) ?? []).map(({ id }) => id) });
    } else if (parseStoredReport(line) !== null || parseTallyLine(line) !== null) {
      yield line;
    }
  }
}
