/**
 * SQLite table of the annotations of issues: comments, assignee, merges and activity. Synchronous.
 */
import {
  type ActivityEntry,
  type Annotations,
  appendActivity,
  EMPTY_ANNOTATIONS,
} from "../../../core/issue/annotations.ts";
import type { Digest } from "../../../core/report.ts";
import { ANNOTATIONS_JSON } from "../../kv/stored-json.ts";
import { DocumentTable } from "./document-table.ts";
import { ANNOTATIONS } from "./index-schema.ts";
import type { TombstoneTable } from "./tombstone-table.ts";

const IS_MERGE = "coalesce(body ->> 'mergedInto', body ->> 'splitOff') IS NOT NULL";

export class AnnotationTable extends DocumentTable<Annotations> {
  constructor(storage: DurableObjectStorage, tombstones: TombstoneTable) {
    super(storage, ANNOTATIONS, tombstones, ANNOTATIONS_JSON);
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
