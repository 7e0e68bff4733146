/** Versions of stored data. Code of each version works with data of some versions only. */

/** Whether the code may work with the data. `needs` is a version of the code or of the data. */
export type DataState =
  | { readonly kind: "ready" }
  | { readonly kind: "newer" | "too-old"; readonly needs: number }
  | { readonly kind: "failed"; readonly migration: number; readonly problem: string };

/** The versions of one Durable Object. */
export interface ObjectVersion {
  /** The class. */
  readonly object: string;
  readonly state: DataState;
  /** The version of the data that this code writes. */
  readonly code: number;
  /** The version of the stored data; 0 if it cannot be read. */
  readonly data: number;
  /** Code below this version cannot work with the data. */
  readonly oldest: number;
  /** The release that opened the data first under its version, and when, ms. */
  readonly release: string;
  readonly atMs: number;
  /** New columns and indexes that are still being filled, and the rows so far. */
  readonly backfills: readonly { readonly migration: number; readonly visited: number }[];
}

/** An object by its class and name. `version` is null while it does not answer. */
export interface NamedVersion {
  readonly object: string;
  readonly name: string;
  readonly version: ObjectVersion | null;
}

/** Some objects of a deployment, in a fixed order. */
export interface OpenedObjects {
  readonly objects: readonly NamedVersion[];
  /** All objects of the deployment. */
  readonly total: number;
  /** Where the next part begins; null after the last. */
  readonly next: number | null;
}

/** The oldest code of each class that may work with the data of a release, as KV has it. */
export interface RecordedVersions {
  readonly v: 1;
  readonly release: string;
  readonly oldest: Readonly<Record<string, number>>;
}

/** A class whose data needs later code than `code`. */
export interface LaterData {
  readonly object: string;
  readonly code: number;
  readonly needs: number;
}
