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
import { parseStoredAnnotations } from "../../kv/stored-json.ts";
import { DocumentTable } from "./document-table.ts";

export class AnnotationTable extends DocumentTable<Annotations> {
  constructor(storage: DurableObjectStorage) {
    super(storage, "annotations", parseStoredAnnotations);
  }

  getOrEmpty(digest: Digest): Annotations {
    return this.get(digest) ?? EMPTY_ANNOTATIONS;
  }

  addActivity(digest: Digest, entry: ActivityEntry): void {
    this.save(digest, appendActivity(this.getOrEmpty(digest), entry));
  }
}
