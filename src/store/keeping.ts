/** The Worker's side of what is done to a whole project: asked of the index, which goes on with it, and exports read from KV. */

import { hexOf } from "../core/hex.ts";
import type { Keeping, RestoredLine } from "../core/ports.ts";
import type { Digest, ReportId, Side } from "../core/report.ts";
import type { Said } from "../core/said.ts";
import type { Bindings } from "../env.ts";
import { type ChunkLines, chunkLinesOf } from "./chunk.ts";
import { inTime } from "./in-time.ts";
import { chunkKey, dayOfHour, shardOf } from "./keys.ts";
import { objectsOf, type StoreFacts } from "./objects.ts";
import { listChunks, readChunk } from "./record.ts";
import { parseStoredReport, parseSumLine, parseTallyLine } from "./stored.ts";
import type { Task } from "./tasks.ts";

/** Who asks for it waits for an answer; longer than the index waits for its shards. */
const PATIENCE_MS = 15_000;

/** What is kept, and how what waits beside the log is fed to it: nothing may come back that was erased. */
export interface KeepingFacts extends StoreFacts {
  readonly feed: () => Promise<number>;
}

/** The keeping of one project over `shards` objects. */
export function createKeeping(
  bindings: Pick<Bindings, "KV" | "PROJECT_INDEX" | "REPORT_LOG">,
  facts: KeepingFacts,
): Keeping {
  const { project, shards, nowMs } = facts;
  const { KV: kv } = bindings;
  const { index, shard: log } = objectsOf(bindings, facts);

  /** Every chunk once, a shard's in their order: from KV, and from the logs what they still hold. */
  async function* chunks(day?: string): AsyncGenerator<ChunkLines & { readonly key: string }> {
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
      for (const { key, untilMs } of page.filter((chunk) => !seen.has(chunk.key))) {
        const read = await readChunk(kv, key);
        // KV may show for a while that a chunk is not there: without it the export would be cut.
        const isExpired = untilMs !== undefined && untilMs <= nowMs();
        if (read === null && !isExpired) throw new Error("a chunk that KV has does not show yet");
        yield { key, ...chunkLinesOf(read ?? []) };
      }
    }
    for (const { key, shard, chunk } of left.sort((a, b) => (a.key < b.key ? -1 : 1))) {
      const held = await log(shard).held(chunk);
      // It may have been copied since.
      const lines = held.lines.length > 0 ? held.lines : await readChunk(kv, key);
      if (lines === null) throw new Error("a chunk that was copied does not show in KV yet");
      yield { key, ...(held.lines.length > 0 ? held : chunkLinesOf(lines)) };
    }
  }

  return {
    rebuild: () => begin({ kind: "rebuild" }),

    async eraseReport(id: ReportId): Promise<boolean> {
      await feedAll();
      return inTime(index().eraseReport(id), PATIENCE_MS);
    },

    async eraseIssue(digest: Digest): Promise<boolean> {
      await feedAll();
      return inTime(index().eraseIssue(digest), PATIENCE_MS);
    },

    erasePerson: (text: string) => begin({ kind: "erase-text", text }),

    eraseProject: () => begin({ kind: "erase-project" }),

    async *exportLines(day?: string): AsyncGenerator<string> {
      const exportedAt = new Date(nowMs()).toISOString();
      yield JSON.stringify({ errata: 1, project, exportedAt, ...(day !== undefined && { day }) });
      await facts.feed();
      let count = 0;
      for await (const chunk of chunks(day)) {
        for await (const line of exportedLines(chunk)) {
          yield line;
          count++;
        }
      }
      // Behind the reports: they are about what had come until then, and none of it is a return.
      for (const said of (await index().said()) as readonly Said[]) {
        yield JSON.stringify(saidFields(said));
        count++;
      }
      yield JSON.stringify({ end: 1, lines: count });
    },

    async restore(lines: readonly RestoredLine[]): Promise<number> {
      if (shards === 1) return restoreAtOnce(lines);
      // Browsers' reports find the issues of servers', which may be of another shard: those are counted before.
      const ofBrowsers = lines.filter(({ line }) => sideOf(line) === "browser");
      const others = lines.filter((line) => !ofBrowsers.includes(line));
      const restored = await restoreAtOnce(others);
      if (ofBrowsers.length === 0) return restored;
      await settle();
      return restored + (await restoreAtOnce(ofBrowsers));
    },

    async restoreSaid(said: readonly Said[]): Promise<void> {
      // What was stored before is counted before.
      await settle();
      await index().restoreSaid(said);
    },
  };

  async function restoreAtOnce(lines: readonly RestoredLine[]): Promise<number> {
    const perShard = Map.groupBy(lines, ({ ids: [id = ""] }) => shardOf(id, shards));
    const counts = await Promise.all([...perShard].map(([shard, its]) => log(shard).restore(its)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Resolves when everything is counted that was stored here. */
  async function settle(): Promise<void> {
    const names = Array.from({ length: shards }, (_, n) => String(n));
    await Promise.all(names.map((shard) => log(shard).settle()));
  }

  async function begin(task: Task): Promise<void> {
    await feedAll();
    await inTime(index().begin(task), PATIENCE_MS);
  }

  /** What waits beside the log would come back. */
  async function feedAll(): Promise<void> {
    if ((await facts.feed()) > 0) throw new Error("spilled reports wait for a shard that is away");
  }
}

/** The lines of a chunk that say something; those that are no report with the ids by which an import knows them again. */
async function* exportedLines({
  key,
  lines,
  placed,
}: ChunkLines & { readonly key: string }): AsyncGenerator<string> {
  const idsOfLine = Map.groupBy(placed, ({ line }) => line);
  for (const [n, line] of lines.entries()) {
    if (parseStoredReport(line) !== null) {
      yield line;
      continue;
    }
    const sum = parseSumLine(line);
    const said = sum ?? tallyFields(line);
    if (said === null) continue;
    // What only counts is known by one id of its own, whatever is counted in it once.
    const placedHere = sum === null ? undefined : idsOfLine.get(n)?.map(({ id }) => id);
    const ids = placedHere ?? [await idOfLine(`${key}:${n}`, line)];
    yield JSON.stringify({ ...said, ids });
  }
}

function saidFields(said: Said): object {
  switch (said.is) {
    case "decision":
      return { decision: 1, digest: said.decided.digest, ...said.decided.decision };
    case "notes": {
      const { parted: _, ...notes } = said.notes;
      return { notes: 1, digest: said.digest, ...notes };
    }
    case "view":
      return { view: 1, ...said.view };
  }
}

function sideOf(line: string): Side | undefined {
  return parseStoredReport(line)?.side ?? parseSumLine(line)?.mark.side;
}

function tallyFields(line: string): object | null {
  const tallied = parseTallyLine(line);
  return tallied === null ? null : { tally: 1, ...tallied };
}

/** An id for a line that has none: the same whenever it is exported, as long as it stands there unchanged. */
async function idOfLine(place: string, line: string): Promise<ReportId> {
  const bytes = new TextEncoder().encode(`${place}\n${line}`);
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return hexOf(hash.subarray(0, 16));
}
