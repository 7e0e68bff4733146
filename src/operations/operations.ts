/** Every operation. Surfaces derive from this list. */
import { eraseIssue, eraseReport } from "./erasure.ts";
import {
  assignIssue,
  assignIssues,
  commentIssue,
  decideIssue,
  decideIssues,
  deleteComment,
  groupTogether,
  mergeIssues,
  mergeSelectedIssues,
  splitByStack,
  splitIssue,
  undoChange,
} from "./issue-changes.ts";
import type { Operation } from "./operation.ts";
import { deleteView, saveView } from "./saved-views.ts";

export const OPERATIONS: readonly Operation[] = [
  decideIssue,
  decideIssues,
  assignIssue,
  assignIssues,
  commentIssue,
  deleteComment,
  mergeIssues,
  mergeSelectedIssues,
  splitIssue,
  splitByStack,
  groupTogether,
  undoChange,
  saveView,
  deleteView,
  eraseIssue,
  eraseReport,
];
