/** Jobs for a whole project. They take longer than a request and continue after a restart. */
import type { IssueErasure } from "../kv/erase-lines.ts";

/** A job as the index stores it. */
export type Job =
  /** Rebuilds the index and the logs' catalogs from KV. */
  | { readonly kind: "rebuild" }
  /** Erases an issue with its reports, including linked browser reports. */
  | ({ readonly kind: "erase-issue" } & IssueErasure)
  /** Counts reports and issues that contain a text: a person's address, name or number. */
  | { readonly kind: "preview-erasure"; readonly id: string; readonly text: string }
  /** Erases every report that contains a text. `id` is that of its preview, if it had one. */
  | { readonly kind: "erase-text"; readonly text: string; readonly id?: string }
  /** Erases the sessions counted in an environment. */
  | { readonly kind: "erase-sessions"; readonly environment: string }
  /** Erases everything. */
  | { readonly kind: "erase-project" };
