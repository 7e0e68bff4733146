/**
 * ProjectIndex: what a project knows of its issues, as a Durable Object. It counts every report exactly once, answers what
 * is true now, and copies snapshots into KV for everyone else. It holds no report bodies: those are in the log and the
 * record, and a mark says where. An index that has no memory of its own, but a record in KV, makes itself anew from that.
 */
import { DurableObject } from "cloudflare:workers";
import type { Arrival } from "../core/arrival.ts";
import type { Choice } from "../core/decision.ts";
import { dayOf } from "../core/fold.ts";
import type { Issue, IssueList, IssueSummary, Mark } from "../core/issue.ts";
import type { Cursor, Facet, IssuePage, IssueQuery, SavedView } from "../core/issue-query.ts";
import { limits } from "../core/limits.ts";
import type { NoteChange, Notes } from "../core/notes.ts";
import { present } from "../core/present.ts";
import type { ReleaseSummary } from "../core/release-summary.ts";
import type { Digest, ReportId } from "../core/report.ts";
import { retentionSeconds } from "../core/retention.ts";
import type { Said } from "../core/said.ts";
import type { StoreHealth } from "../core/store-health.ts";
import type { TallyOnDay } from "../core/tally.ts";
import { type Bindings, storeSettingsOf } from "../env.ts";
import { type Changes, changesOf } from "./changes.ts";
import { Copies } from "./copies.ts";
import { eraseReport } from "./erasing.ts";
import { inTime } from "./in-time.ts";
import { Ledger } from "./ledger.ts";
import { type ObjectFacts, type Objects, objectsOf } from "./objects.ts";
import { ProjectWork } from "./project-work.ts";
import { releaseSummaries } from "./release-lists.ts";
import type { Counted, ProjectIndexRpc, Sequenced } from "./rpc.ts";
import { Settling } from "./settling.ts";
import type { Task } from "./tasks.ts";
import { newestArrivals, Watchers } from "./watchers.ts";
import { WriteBudget } from "./write-budget.ts";

const HEALTH_PATIENCE_MS = 2_000;
const DAY_MS = 86_400_000;
const SESSION_DAYS = 30;
const FORGET_EVERY_MS = 3_600_000;
const COPY_AGAIN_MS = 5_000;

/** One object a project, named by its id: `1`. */
export class ProjectIndex extends DurableObject<Bindings> implements ProjectIndexRpc {
  readonly #ledger: Ledger;
  readonly #project: string;
  readonly #facts: ObjectFacts;
  readonly #copies: Copies;
  readonly #budget: WriteBudget;
  readonly #shards: readonly string[];
  readonly #retentionDays: number;
  readonly #work: ProjectWork;
  readonly #watchers: Watchers;
  readonly #settling: Settling;
  #copying: Promise<void> | null = null;
  #forgotMs = 0;

  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env);
    this.#project = ctx.id.name ?? "";
    const { shards, indexWritesPerDay, retentionDays, location } = storeSettingsOf(env);
    this.#facts = { project: this.#project, ...present({ location }) };
    this.#shards = Array.from({ length: shards }, (_, n) => String(n));
    this.#retentionDays = retentionDays;
    this.#budget = new WriteBudget(ctx.storage, indexWritesPerDay);
    this.#ledger = new Ledger(ctx.storage);
    this.#watchers = new Watchers(ctx);
    this.#copies = new Copies({
      project: this.#project,
      ledger: this.#ledger,
      kv: () => this.env.KV,
      budget: this.#budget,
      retentionDays,
      nowMs: Date.now,
      isPaused: () => this.#work.mustNotCopy,
    });
    this.#work = new ProjectWork({
      project: this.#project,
      storage: ctx.storage,
      ledger: this.#ledger,
      kv: () => this.env.KV,
      objects: () => this.#objects,
      shards: () => this.#allShards(),
      nowMs: Date.now,
      changed: (changes) => this.#changed(changes),
      quiet: () => this.quiet(),
      done: () => {
        this.#copies.recall();
        return this.#copy();
      },
    });
    this.#settling = new Settling(this.#work, () =>
      this.#allShards().map((shard) => this.#objects.shard(shard)),
    );
    if (this.#ledger.isNew()) ctx.blockConcurrencyWhile(() => this.#begin());
    else this.#goOn();
  }

  async apply(shard: string, rows: readonly Sequenced[]): Promise<Counted> {
    await this.#remembered();
    if (this.#work.isBeingRebuilt) throw new Error("the index is being made anew");
    const isGapless = this.#work.isCatchingUp;
    const { last, common, counted, ...changes } = this.#ledger.counting.apply(
      shard,
      rows,
      Date.now(),
      isGapless,
    );
    this.#changed(changes);
    if (this.#watchers.areThere) this.#watchers.tell(counted());
    return { seq: last, common };
  }

  async logBegan(shard: string, row: number): Promise<void> {
    await this.#remembered();
    const counted = this.#ledger.issues.countedOf(shard);
    if (counted > 0 && counted < row) await this.begin({ kind: "rebuild" });
  }

  async issue(digest: Digest): Promise<Issue | null> {
    await this.#settle();
    return this.#ledger.issues.issue(digest) ?? null;
  }

  async issueOf(mark: Mark): Promise<Digest> {
    await this.#settle();
    return this.#ledger.issueOf(mark);
  }

  async newest(): Promise<IssueList> {
    await this.#settle();
    return this.#ledger.list(Date.now());
  }

  async search(text: string, count: number): Promise<readonly Digest[]> {
    await this.#settle();
    return this.#ledger.search.find(text, count);
  }

  async tallies(days: number): Promise<readonly TallyOnDay[]> {
    await this.#settle();
    return this.#ledger.tallies.since(dayOf(Date.now() - (days - 1) * DAY_MS));
  }

  async aliases(alias: string): Promise<readonly Digest[]> {
    await this.#settle();
    return this.#ledger.leadsOf(alias);
  }

  async list(query: IssueQuery, from: Cursor | undefined): Promise<IssuePage> {
    await this.#settle();
    return this.#ledger.lists.page(query, from, Date.now());
  }

  async facets(query: IssueQuery): Promise<readonly Facet[]> {
    await this.#settle();
    return this.#ledger.lists.facets(query, Date.now());
  }

  async similar(digest: Digest): Promise<readonly IssueSummary[]> {
    await this.#settle();
    return this.#ledger.similar(digest);
  }

  async releases(): Promise<readonly ReleaseSummary[]> {
    return releaseSummaries(this.#ledger, await this.tallies(SESSION_DAYS));
  }

  async arrivals(): Promise<readonly Arrival[]> {
    await this.#settle();
    return newestArrivals(this.#ledger.lists.newest(limits.recentArrivals));
  }

  override async webSocketClose(socket: WebSocket, code: number): Promise<void> {
    // What says that there was no code cannot be sent as one.
    socket.close(code === 1005 || code === 1006 ? 1000 : code);
  }

  /** Ends every watch; whoever may still watch comes again. */
  dismissWatchers(): void {
    this.#watchers.dismiss();
  }

  /** Whoever opens a WebSocket watches what is counted. */
  override async fetch(): Promise<Response> {
    return this.#watchers.take();
  }

  async decide(digest: Digest, choice: Choice): Promise<Issue | null> {
    await this.#settle();
    const issue = this.#ledger.people.decide(digest, choice, Date.now());
    if (issue === undefined) return null;
    this.#changed(changesOf({ digests: [digest], decisions: [digest], notes: [digest] }));
    return issue;
  }

  async decideAll(digests: readonly Digest[], choice: Choice): Promise<readonly Digest[]> {
    await this.#settle();
    const { people } = this.#ledger;
    const decided = digests.filter((digest) => people.decide(digest, choice, Date.now()));
    this.#changed(changesOf({ digests: decided, decisions: decided, notes: decided }));
    return decided;
  }

  async notes(digest: Digest): Promise<Notes> {
    await this.#settle();
    return this.#ledger.people.notes(digest);
  }

  async annotate(digest: Digest, change: NoteChange): Promise<Notes | null> {
    await this.#settle();
    const annotated = this.#ledger.people.annotate(digest, change, Date.now());
    if (annotated === undefined) return null;
    this.#changed(annotated.changes);
    return annotated.notes;
  }

  async views(): Promise<readonly SavedView[]> {
    await this.#settle();
    return this.#ledger.people.views();
  }

  async saveView(
    name: string,
    view: Omit<SavedView, "name"> | null,
  ): Promise<readonly SavedView[]> {
    await this.#settle();
    const views = this.#ledger.people.saveView(name, view);
    this.#copies.views();
    this.ctx.waitUntil(this.#copy());
    return views;
  }

  async shards(): Promise<readonly string[]> {
    return this.#allShards();
  }

  async said(): Promise<readonly Said[]> {
    return this.#ledger.people.said();
  }

  async restoreSaid(said: readonly Said[]): Promise<void> {
    for (const one of said) this.#ledger.people.restore(one, Date.now());
    this.#copies.recall();
    this.ctx.waitUntil(this.#copy());
  }

  async eraseReport(id: ReportId): Promise<boolean> {
    await this.#settle();
    const logs = this.#allShards().map((shard) => this.#objects.shard(shard));
    const changes = await eraseReport(this.#ledger, logs, id);
    if (changes === null) return false;
    this.#changed(changes);
    return true;
  }

  async eraseIssue(digest: Digest): Promise<boolean> {
    await this.#settle();
    const issue = this.#ledger.issues.issue(digest);
    if (issue === undefined) return false;
    const { merges } = this.#ledger;
    await this.begin({
      kind: "erase-issue",
      digest,
      aliases: this.#ledger.leadersTo(digest),
      ...present({ merged: issue.merged }),
      parted: merges.partedFrom(digest),
      elsewhere: merges.partedOf(digest),
    });
    return true;
  }

  async quiet(): Promise<void> {
    await this.#copying;
  }

  async begin(task: Task): Promise<void> {
    this.#work.add(task);
    this.ctx.waitUntil(this.#work.walk());
  }

  async health(): Promise<StoreHealth> {
    const logs = this.#allShards().map((shard) => this.#objects.shard(shard).health());
    const healths = await inTime(Promise.allSettled(logs), HEALTH_PATIENCE_MS).catch(() => []);
    const nowMs = Date.now();
    const work = this.#work.progress();
    return {
      shards: healths.flatMap((health) => (health.status === "fulfilled" ? health.value : [])),
      snapshots: {
        waiting: this.#copies.waiting,
        waitMs: this.#budget.waitMs(nowMs),
        storedBytes: this.ctx.storage.sql.databaseSize,
        ...this.#budget.spending(nowMs),
      },
      ...(work !== undefined && { work }),
    };
  }

  override async alarm(): Promise<void> {
    this.#forget(Date.now());
    await Promise.all([this.#copy(), this.#work.walk()]);
  }

  /** Rejects while it is not known whether KV has a record of which nothing is here. */
  async #remembered(): Promise<void> {
    if (!this.#ledger.isNew()) return;
    await this.#begin();
    if (this.#ledger.isNew()) throw new Error("KV does not say whether there is a record");
  }

  /** Reads every issue, so it is done once an hour. */
  #forget(nowMs: number): void {
    if (nowMs - this.#forgotMs < FORGET_EVERY_MS) return;
    this.#forgotMs = nowMs;
    const keptMs = (isCommon: boolean) => retentionSeconds(this.#retentionDays, isCommon) * 1000;
    this.#ledger.forget(nowMs - keptMs(false), nowMs - keptMs(true), nowMs);
  }

  async #begin(): Promise<void> {
    await this.#work.remember();
    this.#goOn();
  }

  #goOn(): void {
    if (this.#copies.waiting > 0) this.ctx.waitUntil(this.#copy());
    if (this.#work.isUnderWay) this.ctx.waitUntil(this.#work.walk());
  }

  get #objects(): Objects {
    return objectsOf(this.env, this.#facts);
  }

  #changed(changes: Changes): void {
    this.#copies.changed(changes);
    this.ctx.waitUntil(this.#copy());
  }

  /** Whoever sent a report and then looks finds it. Rejects while the index is made anew. */
  async #settle(): Promise<void> {
    await this.#remembered();
    await this.#settling.settle();
  }

  /** Every shard that there is, and those that there were while the setting said more. */
  #allShards(): readonly string[] {
    return [...new Set([...this.#shards, ...this.#ledger.issues.shards()])];
  }

  /** Writes what is due, and has the alarm write the rest. One copy at a time. */
  #copy(): Promise<void> {
    if (this.#work.mustNotCopy) return Promise.resolve();
    this.#copying ??= this.#copyDue().finally(() => {
      this.#copying = null;
    });
    return this.#copying;
  }

  async #copyDue(): Promise<void> {
    // Set before the first put as well: should the object die meanwhile, the alarm brings it back.
    await this.ctx.storage.setAlarm(Date.now() + COPY_AGAIN_MS);
    const dueMs = await this.#copies.write();
    if (this.#work.isUnderWay) return;
    if (dueMs === null) await this.ctx.storage.deleteAlarm();
    else await this.ctx.storage.setAlarm(dueMs);
  }
}
