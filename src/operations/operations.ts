/** Every operation. Surfaces derive from this list. */
import {
  checkQuery,
  createFeed,
  deleteDestination,
  deleteRule,
  enableDestination,
  restoreDestination,
  revokeFeed,
  rotateSecret,
  saveDestination,
  saveRule,
  sendMessageAgain,
  sendWaitingMessages,
  setSummary,
  testDestination,
} from "./alert-changes.ts";
import { getAlertPreferences, getAlertSettings, listAlerts } from "./alerts.ts";
import { listAllAlerts, listAllIssues } from "./all-projects.ts";
import { compareTwoReleases } from "./compare-releases.ts";
import { putRelease } from "./describe-release.ts";
import { eraseIssue, eraseReport } from "./erasure.ts";
import { handOffIssue, reportFix } from "./fix-changes.ts";
import { listAllInboxes, listInbox, markInboxRead } from "./inbox.ts";
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
import {
  getIssue,
  getReport,
  listIssues,
  listIssueValues,
  listNewestIssues,
} from "./issue-reads.ts";
import { listLiveReports } from "./live.ts";
import { lookUpIssues } from "./lookup.ts";
import type { Operation } from "./operation.ts";
import { getOverview } from "./overview.ts";
import { listPolicies, tryPolicy } from "./policies.ts";
import { PROJECT_CHANGES } from "./project-changes.ts";
import {
  eraseProjectData,
  getErasure,
  previewErasure,
  rebuildIndex,
  startErasure,
} from "./project-data.ts";
import {
  getProject,
  listAuditEntries,
  listInvitations,
  listKeys,
  listMembers,
  listTokens,
} from "./project-settings.ts";
import { getRelease, listReleases } from "./releases.ts";
import {
  getRepositories,
  removeRepository,
  saveOwners,
  saveRepository,
  setIssueRepository,
} from "./repositories.ts";
import { deleteView, listViews, saveView } from "./saved-views.ts";
import { getSource } from "./source.ts";
import { deleteUpload, getUpload, listSourceMaps } from "./source-maps.ts";
import { getStatus } from "./status.ts";
import {
  checkTracker,
  createTrackerIssue,
  linkTracker,
  listTrackers,
  previewTrackerIssue,
  removeTracker,
  rotateTrackerSecret,
  saveTracker,
  sendToTracker,
  unlinkTracker,
} from "./trackers.ts";
import { whoami } from "./whoami.ts";

export const OPERATIONS: readonly Operation[] = [
  listIssues,
  listIssueValues,
  listAllIssues,
  listNewestIssues,
  getOverview,
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
  listAllAlerts,
  listInbox,
  listAllInboxes,
  markInboxRead,
  getAlertPreferences,
  listPolicies,
  tryPolicy,
  getStatus,
  whoami,
  getProject,
  listKeys,
  listMembers,
  listInvitations,
  listTokens,
  listAuditEntries,
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
  handOffIssue,
  reportFix,
  listViews,
  saveView,
  deleteView,
  previewTrackerIssue,
  createTrackerIssue,
  linkTracker,
  unlinkTracker,
  listTrackers,
  saveTracker,
  removeTracker,
  checkTracker,
  rotateTrackerSecret,
  sendToTracker,
  getRepositories,
  saveRepository,
  removeRepository,
  saveOwners,
  createFeed,
  revokeFeed,
  checkQuery,
  saveRule,
  deleteRule,
  saveDestination,
  deleteDestination,
  restoreDestination,
  enableDestination,
  setSummary,
  rotateSecret,
  testDestination,
  sendMessageAgain,
  sendWaitingMessages,
  setIssueRepository,
  deleteUpload,
  eraseIssue,
  eraseReport,
  previewErasure,
  getErasure,
  startErasure,
  rebuildIndex,
  eraseProjectData,
  ...PROJECT_CHANGES,
];
