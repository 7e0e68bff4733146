/**
 * The desk's reading: snapshots from KV, which are near everywhere, and ProjectIndex, which is exact. A read of KV that
 * finds nothing is remembered by KV for a minute, so whatever may be about to appear is asked of the index as well.
 */
import type { Arrival } from "../core/arrival.ts";
import type { Choice } from "../core/decision.ts";
import { hourOf } from "../core/fold.ts";
import type { Issue, IssueList, IssueSummary, Mark, Position } from "../core/issue.ts";
import type { Cursor, Facet, IssuePage, IssueQuery, SavedView } from "../core/issue-query.ts";
import { limits } from "../core/limits.ts";
import { markOf } from "../core/mark.ts";
import type { NoteChange, Notes } from "../core/notes.ts";
import type { Desk } from "../core/ports.ts";
import type { ReleaseSummary } from "../core/release-summary.ts";
import type { Digest, Report, ReportId } from "../core/report.ts";
import type { StoreHealth } from "../core/store-health.ts";
import type { TallyOnDay } from "../core/tally.ts";
import type { Bindings } from "../env.ts";
import { ChunkReads } from "./chunk-reads.ts";
import { inTime } from "./in-time.ts";
import { aliasKey, chunkKey, issueKey, listKey, type Place, placeOf, shardOf } from "./keys.ts";
import { objectsOf, type StoreFacts } from "./objects.ts";
import { parseStoredReport, parseSumLine, storedAlias, storedIssue, storedList } from "./stored.ts";
import { tracedId } from "./traced.ts";

/** KV's shortest: how old a snapshot may be that another reader has fetched here before. */
const SNAPSHOT_CACHE_SECONDS = 30;
/** A chunk changes only when something in it is erased: copies of it that KV has near its readers are gone after so long. */
const CHUNK_CACHE_SECONDS = 3_600;
/** Younger reports are read from the log, so that nobody looks for their chunk before it is there. */
const COPIED_AFTER_MS = 600_000;
/** How long a page waits for KV or an object before it goes on without. */
const PATIENCE_MS = 3_000;
/** How long the list waits for the index before the snapshot must do. */
const INDEX_PATIENCE_MS = 400;

/** As an alias is spelled. */
const RAY_ID = /^[0-9a-f]{16}$/;

interface Located {
  readonly digest: Digest;
  readonly position: Position;
}

/** What an object answers, within patience. The types of RPC take a tuple for any array; what arrives is what was sent. */
async function told<T>(answer: Promise<unknown>): Promise<T> {
  return (await inTime(answer, PATIENCE_MS)) as T;
}

/** The desk of one project. `nowMs` is the clock. */
export function createDesk(
  bindings: Pick<Bindings, "KV" | "PROJECT_INDEX" | "REPORT_LOG">,
  settings: StoreFacts,
): Desk {
  const { project, shards, nowMs } = settings;
  const { KV: kv } = bindings;
  const { index, shard: log } = objectsOf(bindings, settings);
  const newReads = () => new ChunkReads(() => kv, { cacheTtl: CHUNK_CACHE_SECONDS });

  const snapshot = (key: string): Promise<unknown> =>
    inTime(kv.get(key, { type: "json", cacheTtl: SNAPSHOT_CACHE_SECONDS }), PATIENCE_MS).catch(
      () => null,
    );
  const listSnapshot = async () => storedList(await snapshot(listKey(project, 0)));
  const issueSnapshot = async (digest: Digest) =>
    storedIssue(await snapshot(issueKey(project, digest)));

  async function fromRecord(place: Place, reads: ChunkReads): Promise<string | null> {
    const lines = await reads.lines(chunkKey(project, place)).catch(() => null);
    return lines?.[place.line] ?? null;
  }

  async function readReport(
    { position }: Pick<Mark, "position">,
    reads = newReads(),
  ): Promise<Report | null> {
    const line = await readLine(position, reads);
    return line === null ? null : parseStoredReport(line);
  }

  async function readLine(position: Position, reads = newReads()): Promise<string | null> {
    const place = placeOf(position);
    if (place === null) return null;
    const fromLog = () => inTime(log(place.shard).read(position), PATIENCE_MS);
    // By the hour in the position, which is the log's own clock: a sender's may say anything.
    return place.hour >= hourOf(nowMs() - COPIED_AFTER_MS)
      ? ((await fromLog().catch(() => null)) ?? (await fromRecord(place, reads)))
      : ((await fromRecord(place, reads)) ?? (await fromLog()));
  }

  /** In its shard, else in any: the setting may have said another number when it came. */
  async function anywhere(id: ReportId): Promise<Position | null> {
    const own = shardOf(id, shards);
    const position = await log(own).locate(id);
    if (position !== null || shards === 1) return position;
    const others = Array.from({ length: shards }, (_, n) => String(n)).filter((it) => it !== own);
    const found = await Promise.all(others.map((shard) => log(shard).locate(id)));
    return found.find((it) => it !== null) ?? null;
  }

  /** Where the newest report is that still stands, of those that a trace or a Ray ID names. */
  async function traced(code: string): Promise<Located | null> {
    const id = tracedId(code);
    if (id === undefined) return null;
    const names = Array.from({ length: shards }, (_, n) => String(n));
    const found = await Promise.all(names.map((shard) => log(shard).traced(id)));
    // Positions begin with the hour; within one hour any may be the newest.
    for (const position of found.flat().sort().reverse()) {
      const at = await located(position);
      if (at !== null) return at;
    }
    return null;
  }

  async function located(position: Position | null): Promise<Located | null> {
    const line = position === null ? null : await readLine(position);
    if (position === null || line === null) return null;
    const report = parseStoredReport(line);
    // One of a storm has no body of its own, and counts in its issue all the same.
    const mark = report === null ? parseSumLine(line)?.mark : markOf(report, position);
    return mark === undefined ? null : { digest: await issueOf({ ...mark, position }), position };
  }

  /** The index may count it elsewhere: a browser's report in the issue of the server's, and what was merged in another. */
  async function issueOf(mark: Mark): Promise<Digest> {
    return inTime(index().issueOf(mark), PATIENCE_MS).catch(() => mark.digest);
  }

  return {
    async newest(): Promise<IssueList> {
      const exact = index().newest();
      const quick = await inTime(exact, INDEX_PATIENCE_MS).catch(() => null);
      const list = storedList(quick as unknown) ?? (await listSnapshot());
      return list ?? (await told(exact));
    },

    async list(query: IssueQuery, from?: Cursor): Promise<IssuePage> {
      return told(index().list(query, from));
    },

    async facets(query: IssueQuery): Promise<readonly Facet[]> {
      return told(index().facets(query));
    },

    async similar(digest: Digest): Promise<readonly IssueSummary[]> {
      return told(index().similar(digest));
    },

    async releases(): Promise<readonly ReleaseSummary[]> {
      return told(index().releases());
    },

    async arrivals(): Promise<readonly Arrival[]> {
      return told(index().arrivals());
    },

    async notes(digest: Digest): Promise<Notes> {
      return told(index().notes(digest));
    },

    async annotate(digest: Digest, change: NoteChange): Promise<Notes | null> {
      return told(index().annotate(digest, change));
    },

    async views(): Promise<readonly SavedView[]> {
      return told(index().views());
    },

    async saveView(
      name: string,
      view: Omit<SavedView, "name"> | null,
    ): Promise<readonly SavedView[]> {
      return told(index().saveView(name, view));
    },

    async decideAll(digests: readonly Digest[], choice: Choice): Promise<readonly Digest[]> {
      return told(index().decideAll(digests, choice));
    },

    async search(text: string): Promise<readonly Digest[]> {
      return inTime(index().search(text, limits.maxFoundIssues), PATIENCE_MS);
    },

    async tallies(days: number): Promise<readonly TallyOnDay[]> {
      return inTime(index().tallies(days), PATIENCE_MS);
    },

    async health(): Promise<StoreHealth> {
      return inTime(index().health(), PATIENCE_MS);
    },

    async issue(digest: Digest): Promise<Issue | null> {
      return (await issueSnapshot(digest)) ?? storedIssue(await index().issue(digest));
    },

    async issueNow(digest: Digest): Promise<Issue | null> {
      try {
        return storedIssue(await inTime(index().issue(digest), PATIENCE_MS));
      } catch {
        return issueSnapshot(digest);
      }
    },

    async decide(digest: Digest, choice: Choice): Promise<Issue | null> {
      return storedIssue(await inTime(index().decide(digest, choice), PATIENCE_MS));
    },

    async aliases(alias: string): Promise<readonly Digest[]> {
      try {
        const led = await inTime(index().aliases(alias), PATIENCE_MS);
        const byRay = led.length === 0 && RAY_ID.test(alias) ? await traced(alias) : null;
        return byRay === null ? led : [byRay.digest];
      } catch {
        return storedAlias(await snapshot(aliasKey(project, alias)));
      }
    },

    async locate(id: ReportId): Promise<Located | null> {
      return (await located(await anywhere(id))) ?? (await traced(id));
    },

    async locateRecent(id: ReportId): Promise<Located | null> {
      return located(await log(shardOf(id, shards)).locateRecent(id));
    },

    report: (mark) => readReport(mark),

    async reports(marks): Promise<readonly (Report | null)[]> {
      const reads = newReads();
      return Promise.all(marks.map((mark) => readReport(mark, reads)));
    },
  };
}
