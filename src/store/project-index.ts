/**
 * ProjectIndex: what a project knows of its issues, as a Durable Object. It counts every report exactly once, answers what
 * is true now, and copies snapshots into KV for everyone else. It holds no report bodies: those are in the log and the
 * record, and a mark says where.
 */
import { DurableObject } from "cloudflare:workers";
import { dayOf, foldMark, summaryOf } from "../core/fold.ts";
import type { Issue, IssueList, Mark } from "../core/issue.ts";
import { limits } from "../core/limits.ts";
import type { Digest } from "../core/report.ts";
import type { StoreHealth } from "../core/store-health.ts";
import { type DayTallies, type TallyOnDay, TallySheet } from "../core/tally.ts";
import { type Bindings, storeSettingsOf } from "../env.ts";
import { inTime } from "./in-time.ts";
import { IndexTable, type ListOf } from "./index-table.ts";
import { aliasKey, dayOfHour, issueKey, listKey, shardName } from "./keys.ts";
import { Links } from "./links.ts";
import type { ProjectIndexRpc, Sequenced } from "./rpc.ts";
import { SearchTable } from "./search-table.ts";
import { Snapshots } from "./snapshots.ts";
import { TallyTable } from "./tally-table.ts";
import { TraceTable } from "./trace-table.ts";
import { WriteBudget } from "./write-budget.ts";

/** A reader waits this long for reports that the logs have acknowledged and not handed over yet. */
const SETTLE_MS = 300;
/** An issue without a report for so long is forgotten, here and in KV. */
const ISSUE_RETENTION_SECONDS = 90 * 86_400;
const HEALTH_PATIENCE_MS = 2_000;
const DAY_MS = 86_400_000;
const TRACE_RETENTION_MS = DAY_MS;

/** One object a project, named by its id: `1`. */
export class ProjectIndex extends DurableObject<Bindings> implements ProjectIndexRpc {
  readonly #table: IndexTable;
  readonly #traces: TraceTable;
  readonly #links: Links;
  readonly #tallies: TallyTable;
  readonly #search: SearchTable;
  readonly #project: string;
  readonly #snapshots: Snapshots;
  readonly #budget: WriteBudget;
  readonly #shards: readonly string[];
  #copying: Promise<void> | null = null;
  #settling: Promise<void> | null = null;

  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env);
    this.#project = ctx.id.name ?? "";
    this.#table = new IndexTable(ctx.storage);
    this.#traces = new TraceTable(ctx.storage);
    this.#links = new Links(this.#table, this.#traces);
    this.#tallies = new TallyTable(ctx.storage);
    this.#search = new SearchTable(ctx.storage);
    const { shards, indexWritesPerDay } = storeSettingsOf(env);
    this.#shards = Array.from({ length: shards }, (_, n) => String(n));
    this.#budget = new WriteBudget(ctx.storage, indexWritesPerDay);
    const expirationTtl = ISSUE_RETENTION_SECONDS;
    this.#snapshots = new Snapshots(
      (key, value) => env.KV.put(key, value, { expirationTtl }),
      Date.now,
      this.#budget,
    );
    const { digests, aliases } = this.#table.stale();
    for (const digest of digests) this.#issueChanged(digest);
    for (const alias of aliases) this.#aliasChanged(alias);
    if (this.#table.isListStale()) this.#listChanged();
    if (!this.#snapshots.isFresh) this.ctx.waitUntil(this.#copy());
  }

  async apply(shard: string, rows: readonly Sequenced[]): Promise<number> {
    const before = this.#table.countedOf(shard);
    const fresh = rows.filter(({ seq }) => seq > before);
    const last = fresh.at(-1)?.seq;
    if (last === undefined) return before;
    this.ctx.storage.transactionSync(() => {
      const marks = fresh.flatMap((row) => ("mark" in row ? row.mark : []));
      this.#count(marks);
      for (const row of fresh) {
        if ("mark" in row && row.words !== undefined) this.#search.add(row.mark.digest, row.words);
      }
      const tallied = fresh.flatMap((row) => ("tallied" in row ? row.tallied : []));
      for (const tallies of [...tallied, ...talliesOf(marks)]) this.#tallies.add(tallies);
      this.#table.setCounted(shard, last);
    });
    this.ctx.waitUntil(this.#copy());
    return last;
  }

  async issue(digest: Digest): Promise<Issue | null> {
    await this.#settle();
    return this.#table.issue(digest) ?? null;
  }

  async issueOf(mark: Mark): Promise<Digest> {
    await this.#settle();
    return this.#links.issueFor(mark);
  }

  async newest(): Promise<IssueList> {
    await this.#settle();
    return this.#list("page");
  }

  async newestNoise(): Promise<IssueList> {
    await this.#settle();
    return this.#list("noise");
  }

  async search(text: string, count: number): Promise<readonly Digest[]> {
    await this.#settle();
    return this.#search.find(text, count);
  }

  async tallies(days: number): Promise<readonly TallyOnDay[]> {
    await this.#settle();
    return this.#tallies.since(dayOf(Date.now() - (days - 1) * DAY_MS));
  }

  async aliases(alias: string): Promise<readonly Digest[]> {
    await this.#settle();
    return this.#table.digestsOf(alias);
  }

  async health(): Promise<StoreHealth> {
    const healths = await inTime(
      Promise.allSettled(this.#logs().map((log) => log.health())),
      HEALTH_PATIENCE_MS,
    ).catch(() => []);
    const nowMs = Date.now();
    return {
      shards: healths.flatMap((health) => (health.status === "fulfilled" ? health.value : [])),
      snapshots: {
        waiting: this.#snapshots.waiting,
        waitMs: this.#budget.waitMs(nowMs),
        ...this.#budget.spending(nowMs),
      },
    };
  }

  override async alarm(): Promise<void> {
    const forgetMs = Date.now() - ISSUE_RETENTION_SECONDS * 1000;
    this.#table.forget(forgetMs);
    this.#search.forget();
    this.#traces.forget(Date.now() - TRACE_RETENTION_MS);
    this.#tallies.forget(dayOf(forgetMs));
    await this.#copy();
  }

  #count(marks: readonly Mark[]): void {
    const nowMs = Date.now();
    const changed = new Map<Digest, Issue>();
    for (const mark of marks) {
      const digest = this.#links.issueFor(mark);
      const linked = mark.linked || digest !== mark.digest;
      const before = changed.get(digest) ?? this.#table.issue(digest);
      changed.set(digest, foldMark(before, { ...mark, digest, linked }, nowMs));
    }
    for (const [digest, issue] of changed) {
      this.#table.save(issue);
      this.#issueChanged(digest);
      // The issue keeps as many codes as it may have: whoever sends more gains no more rows and keys.
      for (const alias of issue.aliases) {
        if (this.#table.addAlias(alias, digest, nowMs)) this.#aliasChanged(alias);
      }
    }
    this.#links.note(marks, nowMs);
  }

  /** Has every shard hand over what it has acknowledged: whoever sent a report and then looks finds it. Asked once for all. */
  #settle(): Promise<void> {
    this.#settling ??= this.#settleAll().finally(() => {
      this.#settling = null;
    });
    return this.#settling;
  }

  async #settleAll(): Promise<void> {
    const asked = this.#logs().map((log) => log.settle());
    // A shard that does not answer in time makes the answer a moment old, and nothing worse.
    await inTime(Promise.allSettled(asked), SETTLE_MS).catch(() => undefined);
  }

  /** Every shard that there is, and those that there were while the setting said more. */
  #logs() {
    const shards = new Set([...this.#shards, ...this.#table.shards()]);
    return [...shards].map((shard) =>
      this.env.REPORT_LOG.getByName(shardName(this.#project, shard)),
    );
  }

  #list(of: ListOf): IssueList {
    const issues = this.#table.newest(limits.issuesPerPage, of).map(summaryOf);
    const noiseTotal = of === "page" ? { noiseTotal: this.#table.total("noise") } : {};
    return { v: 1, issues, total: this.#table.total(of), ...noiseTotal, asOfMs: Date.now() };
  }

  #issueChanged(digest: Digest): void {
    this.#snapshots.stale({
      key: issueKey(this.#project, digest),
      make: () => this.#table.issue(digest),
      written: () => this.#table.issueCopied(digest),
    });
    this.#listChanged();
  }

  #listChanged(): void {
    let asOfMs = 0;
    this.#snapshots.stale({
      key: listKey(this.#project, 0),
      make: () => {
        const list = this.#list("page");
        asOfMs = list.asOfMs;
        return list;
      },
      written: () => this.#table.listCopied(asOfMs),
    });
  }

  #aliasChanged(alias: string): void {
    this.#snapshots.stale({
      key: aliasKey(this.#project, alias),
      make: () => ({ v: 1, digests: this.#table.digestsOf(alias) }),
      written: () => this.#table.aliasCopied(alias),
    });
  }

  /** Writes what is due, and has the alarm write the rest. One copy at a time. */
  #copy(): Promise<void> {
    this.#copying ??= this.#copyDue().finally(() => {
      this.#copying = null;
    });
    return this.#copying;
  }

  async #copyDue(): Promise<void> {
    // Set before the first put as well: should the object die meanwhile, the alarm brings it back.
    await this.ctx.storage.setAlarm(Date.now() + COPY_AGAIN_MS);
    const dueMs = await this.#snapshots.write();
    if (dueMs === null) await this.ctx.storage.deleteAlarm();
    else await this.ctx.storage.setAlarm(dueMs);
  }
}

const COPY_AGAIN_MS = 5_000;

/** The reports themselves as tallies, on the days on which the log took them: those stand in their positions. */
function talliesOf(marks: readonly Mark[]): readonly DayTallies[] {
  const perDay = Map.groupBy(marks, ({ position }) => dayOfHour(position));
  return [...perDay].map(([day, its]) => {
    const sheet = new TallySheet();
    for (const { kind, noise = "", times } of its) {
      if (times === undefined) sheet.add(["accepted", kind, noise]);
      else sheet.add(["counted", kind], times);
    }
    return { day, tallies: sheet.take() };
  });
}
