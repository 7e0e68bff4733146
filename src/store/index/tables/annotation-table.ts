/**
 * SQLite table of the annotations of issues: comments, assignee, merges, activity and the issue of
 * a tracker, by which it is found. Synchronous.
 */
import {
  type ActivityEntry,
  type Annotations,
  appendActivity,
  EMPTY_ANNOTATIONS,
} from "../../../core/issue/annotations.ts";
import { isFollowed } from "../../../core/issue/tracker-link.ts";
import type { Digest } from "../../../core/report.ts";
import { ANNOTATIONS_JSON } from "../../kv/stored-json.ts";
import { upsert } from "../../sqlite/table.ts";
import { DocumentTable } from "./document-table.ts";
import { ANNOTATIONS, LATEST_ACTIVITY } from "./index-schema.ts";
import type { TombstoneTable } from "./tombstone-table.ts";

const SAVE_ITEM = upsert("tracker_item", ["digest"], ["tracker", "item"]);
const SAVE_ACTIVE = upsert(LATEST_ACTIVITY.name, ["id"], ["body"]);
const MAX_ACTIVE = 20;
const IS_MERGE = "coalesce(body ->> 'mergedInto', body ->> 'splitOff') IS NOT NULL";

export class AnnotationTable extends DocumentTable<Annotations> {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage, tombstones: TombstoneTable) {
    super(storage, ANNOTATIONS, tombstones, ANNOTATIONS_JSON);
    this.#storage = storage;
  }

  override save(digest: Digest, annotations: Annotations): void {
    super.save(digest, annotations);
    this.#saveItem(digest, annotations);
    this.#saveActivity(digest, annotations);
  }

  override restore(digest: Digest, copy: unknown): void {
    super.restore(digest, copy);
    this.#saveItem(digest, this.getOrEmpty(digest));
  }

  override remove(digest: Digest): void {
    super.remove(digest);
    this.#saveItem(digest, EMPTY_ANNOTATIONS);
  }

  #saveItem(digest: Digest, { tracker: link }: Annotations): void {
    const { sql } = this.#storage;
    if (isFollowed(link)) sql.exec(SAVE_ITEM, digest, link.tracker, link.item);
    else sql.exec("DELETE FROM tracker_item WHERE digest = ?", digest);
  }

  /** Remembers the issues on which members acted last; what they did is in the annotations. */
  #saveActivity(digest: Digest, { activity }: Annotations): void {
    const atMs = activity.findLast(({ by }) => by !== undefined)?.atMs;
    if (atMs === undefined) return;
    const before = this.listActive();
    if (before.some(([known, knownMs]) => known === digest && knownMs >= atMs)) return;
    const others = before.filter(([known]) => known !== digest);
    const active = [...others, [digest, atMs] as const].sort(([, a], [, b]) => b - a);
    this.#storage.sql.exec(SAVE_ACTIVE, 1, JSON.stringify(active.slice(0, MAX_ACTIVE)));
  }

  /** The issues on which members acted last, the newest first, and when, ms. */
  listActive(): readonly (readonly [digest: Digest, atMs: number])[] {
    const query = `SELECT body FROM ${LATEST_ACTIVITY.name}`;
    const [row] = this.#storage.sql.exec<{ body: string }>(query).toArray();
    return row === undefined ? [] : (JSON.parse(row.body) as [Digest, number][]);
  }

  /** The issue that is linked to one of a tracker. */
  findTrackerItem(tracker: string, item: string): Digest | undefined {
    const query = "SELECT digest FROM tracker_item WHERE tracker = ? AND item = ? LIMIT 1";
    return this.#storage.sql.exec<{ digest: string }>(query, tracker, item).toArray()[0]?.digest;
  }

  /** At most `limit` followed issues after one, in order. */
  listTrackerItems(after: Digest, limit: number): readonly { readonly digest: Digest }[] {
    const query = "SELECT digest FROM tracker_item WHERE digest > ? ORDER BY digest LIMIT ?";
    return this.#storage.sql.exec<{ digest: string }>(query, after, limit).toArray();
  }

  /** The annotations of issues that were merged into another one or split off. */
  listMerges(): readonly (readonly [digest: Digest, annotations: Annotations])[] {
    return this.query(`WHERE ${IS_MERGE}`);
  }

  getOrEmpty(digest: Digest): Annotations {
    return this.get(digest) ?? EMPTY_ANNOTATIONS;
  }

  addActivity(digest: Digest, entry: ActivityEntry): void {
    this.save(digest, appendActivity(this.getOrEmpty(digest), entry));
  }
}
