/**
 * What the index tells the tracker of an issue, as a part of an alert (`due-alert.ts`): numbers and
 * names of releases, no other reported text. Stored (version 1): fields may be added.
 */

import type { FixProof } from "../issue/fix-proof.ts";
import type { ItemState } from "../issue/tracker-link.ts";
import type { Digest } from "../report.ts";

export type TrackerNews = {
  /** The connection and the issue there. */
  readonly tracker: string;
  readonly item: string;
} & (
  | { readonly do: "close" }
  | {
      readonly do: "reopen";
      /** `regressed`: the error occurred again; `decided`: a person reopened the issue. */
      readonly cause: "regressed" | "decided";
      readonly release?: string | undefined;
    }
  | { readonly do: "prove"; readonly proof: FixProof }
);

/** An issue that a connection follows, as the index tells it the alert sender. */
export interface FollowedIssue {
  readonly digest: Digest;
  readonly tracker: string;
  readonly item: string;
  readonly state?: ItemState | undefined;
}
