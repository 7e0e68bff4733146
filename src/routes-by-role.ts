/** The routes of a project's desk, by the role that they require. `app.ts` has all other routes. */
import { HonoBase as Hono } from "hono/hono-base";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { ALERT_ACTION_PATH } from "./core/scrubbing/own-secrets.ts";
import { authorize } from "./http/auth/authorize.tsx";
import type { AppEnv } from "./http/context.ts";
import { serveScope, updateScope } from "./http/desk/account/scope.tsx";
import { updateSettings } from "./http/desk/account/settings.tsx";
import { redirectToAlertSettings } from "./http/desk/alerts/alert-settings.tsx";
import {
  sendAlertAgain,
  sendTestAlert,
  updateDestinations,
  updateRules,
} from "./http/desk/alerts/change-alert-settings.ts";
import { updateFeed } from "./http/desk/alerts/feeds.ts";
import {
  readInboxForm,
  serveAction,
  serveAllAlerts,
  serveInbox,
  servePreferences,
  updatePreferences,
} from "./http/desk/alerts/inbox.tsx";
import { redirectToPolicies, serveCsp } from "./http/desk/csp/csp.tsx";
import { updateEditor } from "./http/desk/editor.ts";
import { serveAllIssues } from "./http/desk/issues/all-issues.tsx";
import { serveAttachment } from "./http/desk/issues/download-attachment.ts";
import { ISSUE_FORMS } from "./http/desk/issues/issue-forms.ts";
import { serveIssue } from "./http/desk/issues/issue-route.tsx";
import { redirectToNoise, serveIssueList, serveIssueValues } from "./http/desk/issues/issues.tsx";
import { openLiveSocket, serveLive } from "./http/desk/live.tsx";
import { serveHome, serveLookup } from "./http/desk/lookup/home.tsx";
import { startProjectErasure, startRebuild } from "./http/desk/project-data/erase-and-rebuild.ts";
import { exportProject } from "./http/desk/project-data/export.ts";
import { importProject } from "./http/desk/project-data/import.tsx";
import { serveErasure, startErasurePreview } from "./http/desk/project-data/preview-erasure.tsx";
import { serveRelease, serveReleases } from "./http/desk/releases.tsx";
import { repositoriesForm } from "./http/desk/repositories.tsx";
import { SETTINGS_PAGES } from "./http/desk/settings-pages.ts";
import { createServerKey } from "./http/desk/setup/connect.tsx";
import { loadSample, removeSample } from "./http/desk/setup/sample.ts";
import { sendTestReport } from "./http/desk/setup/test-report.ts";
import { deleteUploadFromForm, serveUpload } from "./http/desk/source-maps/uploads-route.tsx";
import { serveIssueTracker } from "./http/desk/trackers/issue-tracker.tsx";
import { updateTrackers } from "./http/desk/trackers/tracker-settings.tsx";
import { submitForm } from "./http/forms/operation-form.ts";
import { authorizeUpload, uploadFile } from "./http/sentry-api/plain-upload.ts";

export const requirePerson = authorize("person");
const requireViewer = authorize("viewer");
// Their operations authorize and record the change.
const performsAsMember = authorize("member", "operation");
const performsAsOwner = authorize("owner", "operation");
export const requireMember = authorize("member");
export const requireOwner = authorize("owner");

/** The routes of one project's desk, by the role that they require. */
export function createDeskRoutes(): Hono<AppEnv> {
  const routes = new Hono<AppEnv>({ strict: false, router: new RegExpRouter() });
  routes.get("/", requireViewer, serveHome);
  routes.on("GET", withJson("/lookup"), requireViewer, serveLookup);
  routes.on("GET", withJson("/issues"), requireViewer, serveIssueList);
  routes.get("/issue-values.json", requireViewer, serveIssueValues);
  routes.on("GET", withJson("/all-issues"), requireViewer, serveAllIssues);
  routes.get("/d/:digest", requireViewer, serveIssue);
  routes.get("/d/:digest/files/:n", requireViewer, serveAttachment);
  routes.get("/d/:digest/tracker", requireMember, serveIssueTracker);
  routes.get("/noise", requireViewer, redirectToNoise);
  routes.on("GET", withJson("/releases"), requireViewer, serveReleases);
  routes.get("/releases/:name{.+}", requireViewer, serveRelease);
  routes.get("/policies", requireViewer, redirectToPolicies);
  routes.on("GET", withJson("/csp"), requireViewer, serveCsp);
  routes.on("POST", withJson("/csp"), authorize("viewer", "read-only-post"), serveCsp);
  routes.on("GET", withJson("/live"), requireViewer, serveLive);
  routes.get("/live/socket", requireViewer, openLiveSocket);
  routes.get("/source-maps/:id", requireViewer, serveUpload);
  routes.get("/scope", requireViewer, serveScope);
  // They change nothing but the cookies of the browser. A rejected editor is shown on its page.
  routes.post("/scope", authorize("viewer", "read-only-post"), updateScope);
  routes.post("/settings/repositories/editor", authorize("member", "read-only-post"), updateEditor);

  routes.on("GET", withJson("/alerts"), requireViewer, serveInbox);
  routes.on("GET", withJson("/all-alerts"), requireViewer, serveAllAlerts);
  routes.on("GET", withJson("/alerts/preferences"), requireViewer, servePreferences);
  routes.get(ALERT_ACTION_PATH, requireMember, serveAction);
  routes.get("/settings/alerts/:form", requireViewer, redirectToAlertSettings);

  for (const form of [...ISSUE_FORMS, repositoriesForm]) {
    const [{ role }] = form.operations;
    routes.post(form.path, authorize(role, "operation"), (c) => submitForm(c, form));
  }
  for (const { path, role, hasJson, serve } of SETTINGS_PAGES)
    routes.on("GET", hasJson ? withJson(path) : [path], authorize(role), serve);

  routes.put("/source-maps", authorizeUpload, uploadFile);
  routes.put("/source-maps/:name{.+}", authorizeUpload, uploadFile);
  routes.post("/connect/test", requireMember, sendTestReport);
  // A person's own changes, which the audit log omits.
  routes.post("/alerts/read", authorize("viewer", "registry-checked"), readInboxForm);
  routes.post("/alerts/preferences", authorize("member", "registry-checked"), updatePreferences);
  routes.post("/settings/alerts/test", performsAsMember, sendTestAlert);
  routes.post("/settings/alerts/again", performsAsMember, sendAlertAgain);

  routes.post("/settings/alerts/rules", performsAsOwner, updateRules);
  routes.post("/settings/alerts/destinations", performsAsOwner, updateDestinations);
  routes.post("/settings/alerts/feeds", performsAsOwner, updateFeed);
  routes.post("/source-maps/:id/delete", performsAsOwner, deleteUploadFromForm);
  routes.get("/export", authorize("owner", "audited-read"), exportProject);
  routes.post("/import", requireOwner, importProject);
  routes.post("/erase", performsAsOwner, startProjectErasure);
  routes.post("/erase/preview", performsAsOwner, startErasurePreview);
  routes.get("/erase/:id", requireOwner, serveErasure);
  routes.post("/rebuild", performsAsOwner, startRebuild);
  routes.post("/sample", requireOwner, loadSample);
  routes.post("/sample/remove", requireOwner, removeSample);
  routes.post("/settings/trackers", authorize("owner", "operation"), updateTrackers);
  routes.post("/connect", authorize("owner", "registry-checked"), createServerKey);
  routes.post("/settings", authorize("owner", "registry-checked"), updateSettings);
  return routes;
}

/** The paths of a page and of its JSON. Routes with a parameter handle `.json` themselves. */
export function withJson(path: string): string[] {
  return [path, `${path}.json`];
}
