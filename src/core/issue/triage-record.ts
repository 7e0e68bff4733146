/** What people did in a project, as an export has it: a decision, what was added to an issue, or a view of the list. */

import type { Digest } from "../report.ts";
import type { Annotations } from "./annotations.ts";
import type { IssueDecision } from "./decision.ts";
import type { SavedView } from "./issue-query.ts";

/** One thing that somebody said. */
export type TriageRecord =
  | { readonly kind: "decision"; readonly decision: IssueDecision }
  | { readonly kind: "annotations"; readonly digest: Digest; readonly annotations: Annotations }
  | { readonly kind: "view"; readonly view: SavedView };
