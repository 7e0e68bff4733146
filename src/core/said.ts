/** What people did in a project, as an export has it: a decision, what was added to an issue, or a view of the list. */
import type { Decided } from "./decision.ts";
import type { SavedView } from "./issue-query.ts";
import type { Notes } from "./notes.ts";
import type { Digest } from "./report.ts";

/** One thing that somebody said. */
export type Said =
  | { readonly is: "decision"; readonly decided: Decided }
  | { readonly is: "notes"; readonly digest: Digest; readonly notes: Notes }
  | { readonly is: "view"; readonly view: SavedView };
