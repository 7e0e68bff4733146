/**
 * What goes on over a whole project, in the object of its index: it is made anew, or something is erased from all of it. Tasks
 * go on behind the answer and over restarts, one after another.
 */
import type { Bindings } from "../env.ts";
import type { Changes } from "./changes.ts";
import { EraseEverywhere, EraseProject } from "./erasing.ts";
import { inTime } from "./in-time.ts";
import { chunkPrefix, decisionPrefix, issuePrefix } from "./keys.ts";
import type { Ledger } from "./ledger.ts";
import type { Objects } from "./objects.ts";
import { Rebuild } from "./rebuild.ts";
import type { Task } from "./tasks.ts";
import { WalkTable } from "./walk-table.ts";
import { type Walker, Walks } from "./walks.ts";

const BEGIN_PATIENCE_MS = 5_000;
const AGAIN_MS = 2_000;

/** What one index works with. */
export interface WorkFacts {
  readonly project: string;
  readonly storage: DurableObjectStorage;
  readonly ledger: Ledger;
  readonly kv: () => Bindings["KV"];
  readonly objects: () => Objects;
  readonly shards: () => readonly string[];
  readonly nowMs: () => number;
  /** Is told what is no longer in KV as it is here. */
  readonly changed: (changes: Changes) => void;
  /** Resolves when no snapshot is on its way into KV. */
  readonly quiet: () => Promise<void>;
  /** Everything that waited is done. */
  readonly done: () => Promise<void>;
}

/** The work over one project. */
export class ProjectWork {
  readonly #facts: WorkFacts;
  readonly #table: WalkTable;
  readonly #walks: Walks;
  #walking: Promise<void> | null = null;

  constructor(facts: WorkFacts) {
    this.#facts = facts;
    this.#table = new WalkTable(facts.storage);
    this.#walks = new Walks(this.#table, (task, id) => this.#walkerOf(task, id), facts.nowMs);
  }

  /** True while there is something to do. */
  get isUnderWay(): boolean {
    return this.#table.first() !== undefined;
  }

  /** True while nothing that the ledger says is to be believed, and nothing may be counted in it. */
  get isBeingRebuilt(): boolean {
    const first = this.#table.first();
    if (first?.task.kind === "erase-project") return !first.isListed;
    return first?.task.kind === "rebuild" && first.task.caughtUp === undefined;
  }

  /** True while a log hands over once more what it holds: a delta that was sent before that is not to be counted. */
  get isCatchingUp(): boolean {
    return this.#table.first()?.task.kind === "rebuild";
  }

  /** True while what the ledger says must not stand in KV. */
  get mustNotCopy(): boolean {
    const kind = this.#table.first()?.task.kind;
    return kind === "rebuild" || kind === "erase-project";
  }

  /** Which task is under way, how many wait with it, and how many stops it has before it; undefined when there is none. */
  progress(): { task: string; tasks: number; stops: number } | undefined {
    const task = this.#table.first()?.task.kind;
    return task === undefined ? undefined : { task, ...this.#table.left() };
  }

  /** Puts a task behind the others. */
  add(task: Task): void {
    this.#table.add(task);
  }

  /**
   * For a ledger without a memory: of a project that begins, or of one that has lost its storage. If KV has something of it, it
   * is to be made anew before anything is written over what is there. While KV cannot say, the next start asks again.
   */
  async remember(): Promise<void> {
    const { project, ledger, kv } = this.#facts;
    try {
      const prefixes = [chunkPrefix(project), issuePrefix(project), decisionPrefix(project)];
      const lists = prefixes.map((prefix) => kv().list({ prefix, limit: 1 }));
      const pages = await inTime(Promise.all(lists), BEGIN_PATIENCE_MS);
      ledger.begin();
      if (pages.some(({ keys }) => keys.length > 0)) this.add({ kind: "rebuild" });
    } catch (error) {
      console.warn("index: KV does not say whether there is a record", String(error));
    }
  }

  /** Goes on with the tasks by one step; the alarm goes on with what is left. Never rejects. */
  walk(): Promise<void> {
    this.#walking ??= this.#walkOn().finally(() => {
      this.#walking = null;
    });
    return this.#walking;
  }

  async #walkOn(): Promise<void> {
    if (!this.isUnderWay) return;
    const { storage, nowMs, done } = this.#facts;
    await storage.setAlarm(nowMs() + AGAIN_MS);
    try {
      const isMore = await this.#walks.step();
      if (isMore) await storage.setAlarm(nowMs());
      else await done();
    } catch (error) {
      console.warn("index: a task goes on later", String(error));
      await storage.setAlarm(nowMs() + AGAIN_MS);
    }
  }

  #walkerOf(task: Task, id: number): Walker {
    const { objects, shards, ...rest } = this.#facts;
    const facts = {
      ...rest,
      table: this.#table,
      log: (shard: string) => objects().shard(shard),
      shards: shards(),
      caughtUp: () => this.#table.replace(id, { kind: "rebuild", caughtUp: true }),
    };
    switch (task.kind) {
      case "rebuild":
        return new Rebuild(facts);
      case "erase-issue":
        return new EraseEverywhere(facts, task);
      case "erase-text":
        return new EraseEverywhere(facts, { text: task.text });
      case "erase-project":
        return new EraseProject(facts);
    }
  }
}
