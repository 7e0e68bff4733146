/** What may be asked of a whole project: work that takes longer than a request, and goes on after a restart. */
import type { Digest } from "../../core/report.ts";
import type { Watermarks } from "../index/state/merge-map.ts";

/** A task as it is stored. */
export type Job =
  /** Makes both objects anew from what KV holds. `caughtUp` when only what the logs hold is missing. */
  | { readonly kind: "rebuild"; readonly isArchiveApplied?: true }
  /** Erases every report of an issue, and those of browsers that were led to it. */
  | {
      readonly kind: "erase-issue";
      readonly digest: Digest;
      /** Foreign codes, and traces, that led browsers' reports to this issue alone. */
      readonly aliases: readonly string[];
      /** Digests of issues that were merged into it. */
      readonly merged?: readonly Digest[];
      /** What was split off from it, and up to where its own reports count elsewhere (`erase-lines.ts`). */
      readonly splitOff?: readonly { readonly digest: Digest; readonly upTo: Watermarks }[];
      readonly movedTo?: readonly Watermarks[];
    }
  /** Erases every report in which a text stands: a person's address, name or number. */
  | { readonly kind: "erase-text"; readonly text: string }
  /** Erases everything. */
  | { readonly kind: "erase-project" };
