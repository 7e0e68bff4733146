/** The work of people in a project, as exported: decisions, annotations, views, repositories. */

import type { Digest } from "../report.ts";
import type { CodeOwnersFiles, RepositorySettings } from "../repositories/repository.ts";
import type { Annotations } from "./annotations.ts";
import type { IssueDecision } from "./decision.ts";
import type { SavedView } from "./saved-view.ts";

export type TriageRecord =
  | { readonly kind: "decision"; readonly decision: IssueDecision }
  | { readonly kind: "annotations"; readonly digest: Digest; readonly annotations: Annotations }
  | { readonly kind: "view"; readonly view: SavedView }
  | { readonly kind: "repositories"; readonly settings: RepositorySettings }
  | { readonly kind: "code-owners"; readonly codeOwners: CodeOwnersFiles };
