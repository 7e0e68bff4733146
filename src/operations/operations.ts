/** Every operation. Surfaces derive from this list. */
import { getAlertPreferences, getAlertSettings, listAlerts } from "./alerts.ts";
import { listAllIssues } from "./all-projects.ts";
import { compareTwoReleases } from "./compare-releases.ts";
import { putRelease } from "./describe-release.ts";
import { eraseIssue, eraseReport } from "./erasure.ts";
import { investigateIssue } from "./investigation.ts";
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
import { getIssue, getReport, listIssues, listNewestIssues } from "./issue-reads.ts";
import { listLiveReports } from "./live.ts";
import { lookUpIssues } from "./lookup.ts";
import type { Operation } from "./operation.ts";
import { listPolicies, tryPolicy } from "./policies.ts";
import { getRelease, listReleases } from "./releases.ts";
import { deleteView, saveView } from "./saved-views.ts";
import { getSource } from "./source.ts";
import { getUpload, listSourceMaps } from "./source-maps.ts";
import { getStatus } from "./status.ts";
import { whoami } from "./whoami.ts";

export const OPERATIONS: readonly Operation[] = [
  listIssues,
  listAllIssues,
  listNewestIssues,
  getIssue,
  investigateIssue,
  getReport,
  getSource,
  lookUpIssues,
  listLiveReports,
  listReleases,
  getRelease,
  putRelease,
  compareTwoReleases,
  listSourceMaps,
  getUpload,
  getAlertSettings,
  listAlerts,
  getAlertPreferences,
  listPolicies,
  tryPolicy,
  getStatus,
  whoami,
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
