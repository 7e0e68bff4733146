/** Every URL of Errata. The ingest paths are in `http/ingest/endpoints.ts`. */
import { HonoBase as Hono } from "hono/hono-base";
import { RegExpRouter } from "hono/router/reg-exp-router";
import type { Bindings } from "./config.ts";
import type { Result } from "./core/result.ts";
import { authorize } from "./http/auth/authorize.tsx";
import {
  servePasskeySignInOptions,
  serveSignIn,
  signInWithCode,
  signInWithPasskey,
  signOut,
} from "./http/auth/sign-in.tsx";
import type { AppEnv, Services } from "./http/context.ts";
import {
  addPasskey,
  servePasskeyCreationOptions,
  serveProfile,
  updateProfile,
} from "./http/desk/account/profile.tsx";
import { createProjectFromForm, serveProjects } from "./http/desk/account/projects.tsx";
import { serveAuditLog, serveSettings, updateSettings } from "./http/desk/account/settings.tsx";
import { updateTheme } from "./http/desk/account/theme.ts";
import { serveAlertSettings } from "./http/desk/alerts/alert-settings.tsx";
import {
  sendAlertAgain,
  sendTestAlert,
  updateDestinations,
  updateRepository,
  updateRules,
} from "./http/desk/alerts/change-alert-settings.ts";
import { serveFeed, updateFeed } from "./http/desk/alerts/feeds.ts";
import {
  markInboxRead,
  serveAction,
  serveInbox,
  servePreferences,
  updatePreferences,
} from "./http/desk/alerts/inbox.tsx";
import { serveCsp } from "./http/desk/csp/csp.tsx";
import { annotateIssue } from "./http/desk/issues/annotate.ts";
import { changeSelectedIssues, undoAction } from "./http/desk/issues/bulk-action.ts";
import { decideIssue } from "./http/desk/issues/decide.ts";
import {
  describeAnnotation,
  describeBulkAction,
  describeDecision,
} from "./http/desk/issues/describe-change.ts";
import { serveAttachment } from "./http/desk/issues/download-attachment.ts";
import { serveIssue } from "./http/desk/issues/issue-route.tsx";
import { redirectToNoise, serveIssueList } from "./http/desk/issues/issues.tsx";
import { saveView } from "./http/desk/issues/save-view.ts";
import { openLiveSocket, serveLive } from "./http/desk/live.tsx";
import { serveHome, serveLookup } from "./http/desk/lookup/home.tsx";
import { serveError, serveNotFound } from "./http/desk/not-found-and-error.tsx";
import {
  startIssueErasure,
  startProjectErasure,
  startRebuild,
} from "./http/desk/project-data/erase-and-rebuild.ts";
import { exportProject } from "./http/desk/project-data/export.ts";
import { importProject } from "./http/desk/project-data/import.tsx";
import { serveErasure, startErasurePreview } from "./http/desk/project-data/preview-erasure.tsx";
import { serveDataPage } from "./http/desk/project-data/serve-data.tsx";
import { serveRelease, serveReleases } from "./http/desk/releases.tsx";
import { serveConnect } from "./http/desk/setup/connect.tsx";
import { loadSample, removeSample } from "./http/desk/setup/sample.ts";
import { removeSelfTests, serveSelfTest, serveSelfTestKind } from "./http/desk/setup/self-test.tsx";
import { sendTestReport } from "./http/desk/setup/test-report.ts";
import { deleteUpload } from "./http/desk/source-maps/delete-upload.ts";
import { serveSourceMaps, serveUpload } from "./http/desk/source-maps/uploads-route.tsx";
import { serveStatus } from "./http/desk/status.tsx";
import { toFailureResponse } from "./http/failure-response.ts";
import { receiveReports, receiveUpload, refuseReports } from "./http/ingest/receive-reports.ts";
import { submitReceiptComment } from "./http/receipts/comment.ts";
import { selectReceiptProject, serveReceipt } from "./http/receipts/receipt.tsx";
import { createGlobalHeaders, NO_STORE } from "./http/security-headers.ts";
import { authorizeUpload, uploadFile } from "./http/sentry-api/plain-upload.ts";
import { serveSentryApi } from "./http/sentry-api/serve-sentry-api.ts";

/** Returns the services of a request, or the problems of the configuration. */
export type OpenServices = (
  env: Bindings,
  ctx: ExecutionContext,
) => Result<Services, { reason: "bad-config"; problems: readonly string[] }>;

/** The app. It has no state between requests. */
export function createApp(openServices: OpenServices): Hono<AppEnv> {
  const app = new Hono<AppEnv>({ strict: false, router: new RegExpRouter() });

  app.use(async function serve(c, next) {
    const services = openServices(c.env, c.executionCtx as ExecutionContext);
    if (services.ok) {
      c.set("services", services.value);
      await next();
    } else {
      c.res = (await refuseReports(c.req.raw, services)) ?? toFailureResponse(services);
      // A POST may be a report: see `receiveReports`.
      if (c.req.method !== "POST") c.res.headers.set("Cache-Control", NO_STORE);
    }
    for (const [name, value] of Object.entries(createGlobalHeaders(new URL(c.req.url)))) {
      c.res.headers.set(name, value);
    }
    c.res.headers.append("Vary", "Accept");
  });

  // Upload tools. Before ingest, which would take some of the paths for tunnels.
  app.all("/api/0/*", serveSentryApi);

  // Public: ingest, receipts and sign-in.
  app.use(receiveReports);
  for (const base of ["", "/p/:project"]) {
    app.get(`${base}/e/:digest`, selectReceiptProject, serveReceipt);
    app.post(`${base}/e/:digest`, selectReceiptProject, submitReceiptComment);
    app.get(`${base}/feeds/:token`, selectReceiptProject, serveFeed);
  }
  app.post("/theme", updateTheme);
  app.get("/sign-in", serveSignIn);
  app.post("/sign-in", signInWithCode);
  app.post("/sign-in/options", servePasskeySignInOptions);
  app.post("/sign-in/passkey", signInWithPasskey);
  app.post("/sign-out", signOut);

  // The signed-in person.
  app.on("GET", withJson("/profile"), requirePerson, serveProfile);
  app.post("/profile", requirePerson, updateProfile);
  app.post("/profile/passkeys/options", requirePerson, servePasskeyCreationOptions);
  app.post("/profile/passkeys", requirePerson, addPasskey);
  app.on("GET", withJson("/projects"), requirePerson, serveProjects);
  app.post("/projects", requirePerson, createProjectFromForm);

  // The desk: of the first project at the root, of the others at /p/<project>.
  app.route("/", createDeskRoutes());
  app.route("/p/:project", createDeskRoutes());

  // Deliberate failures, reported to the first project.
  app.get("/self-test", requireMember, serveSelfTest);
  app.get("/self-test/:kind", requireMember, serveSelfTestKind);
  app.post("/self-test/remove", requireOwner, removeSelfTests);

  app.notFound(serveNotFound);
  app.onError(serveError);
  const { fetch } = app;
  app.fetch = (request, env, ctx) => {
    const url = URL.parse(request.url);
    // workerd takes the host of the URL from the request unchecked.
    if (url === null) return toFailureResponse({ reason: "bad-host" });
    const services = openServices(env as Bindings, ctx as ExecutionContext);
    const received = services.ok ? receiveUpload(request, url, services.value) : null;
    return received ?? fetch(request, env, ctx);
  };
  return app;
}

const requirePerson = authorize("person");
const requireViewer = authorize("viewer");
const requireMember = authorize("member");
const requireOwner = authorize("owner");

/** The routes of one project's desk, by the role that they require. */
function createDeskRoutes(): Hono<AppEnv> {
  const routes = new Hono<AppEnv>({ strict: false, router: new RegExpRouter() });
  routes.get("/", requireViewer, serveHome);
  routes.on("GET", withJson("/lookup"), requireViewer, serveLookup);
  routes.on("GET", withJson("/issues"), requireViewer, serveIssueList);
  routes.get("/d/:digest", requireViewer, serveIssue);
  routes.get("/d/:digest/files/:n", requireViewer, serveAttachment);
  routes.get("/noise", requireViewer, redirectToNoise);
  routes.on("GET", withJson("/releases"), requireViewer, serveReleases);
  routes.get("/releases/:name{.+}", requireViewer, serveRelease);
  routes.on("GET", withJson("/csp"), requireViewer, serveCsp);
  routes.on("POST", withJson("/csp"), authorize("viewer", "read-only-post"), serveCsp);
  routes.on("GET", withJson("/live"), requireViewer, serveLive);
  routes.get("/live/socket", requireViewer, openLiveSocket);
  routes.on("GET", withJson("/source-maps"), requireViewer, serveSourceMaps);
  routes.get("/source-maps/:id", requireViewer, serveUpload);
  routes.on("GET", withJson("/status"), requireViewer, serveStatus);
  routes.on("GET", withJson("/connect"), requireViewer, serveConnect);

  routes.on("GET", withJson("/alerts"), requireViewer, serveInbox);
  routes.on("GET", withJson("/alerts/preferences"), requireViewer, servePreferences);
  routes.get("/alerts/act", requireMember, serveAction);
  routes.on("GET", withJson("/settings/alerts"), requireViewer, serveAlertSettings);

  routes.put("/source-maps", authorizeUpload, uploadFile);
  routes.put("/source-maps/:name{.+}", authorizeUpload, uploadFile);
  routes.post("/issues/state", authorize("member", describeBulkAction), changeSelectedIssues);
  routes.post("/undo", requireMember, undoAction);
  routes.post("/connect/test", requireMember, sendTestReport);
  routes.post("/saved-views", requireMember, saveView);
  // Changes of a person's own, which the audit log leaves out.
  routes.post("/alerts/read", authorize("viewer", "registry-checked"), markInboxRead);
  routes.post("/alerts/preferences", authorize("member", "registry-checked"), updatePreferences);
  routes.post("/settings/alerts/test", requireMember, sendTestAlert);
  routes.post("/settings/alerts/again", requireMember, sendAlertAgain);
  routes.post("/d/:digest/state", authorize("member", describeDecision), decideIssue);
  routes.post("/d/:digest/annotations", authorize("member", describeAnnotation), annotateIssue);

  routes.post("/settings/alerts/rules", requireOwner, updateRules);
  routes.post("/settings/alerts/destinations", requireOwner, updateDestinations);
  routes.post("/settings/alerts/github", requireOwner, updateRepository);
  routes.post("/settings/alerts/feeds", requireOwner, updateFeed);
  routes.post("/source-maps/:id/delete", requireOwner, deleteUpload);
  routes.post("/d/:digest/erase", requireOwner, startIssueErasure);
  routes.get("/export", authorize("owner", "audited-read"), exportProject);
  routes.post("/import", requireOwner, importProject);
  routes.post("/erase", requireOwner, startProjectErasure);
  routes.post("/erase/preview", requireOwner, startErasurePreview);
  routes.get("/erase/:id", requireOwner, serveErasure);
  routes.post("/rebuild", requireOwner, startRebuild);
  routes.post("/sample", requireOwner, loadSample);
  routes.post("/sample/remove", requireOwner, removeSample);
  routes.on("GET", withJson("/settings"), requireOwner, serveSettings);
  routes.post("/settings", authorize("owner", "registry-checked"), updateSettings);
  routes.get("/settings/data", requireOwner, serveDataPage);
  routes.on("GET", withJson("/settings/audit"), requireOwner, serveAuditLog);
  return routes;
}

/** A page and its JSON. Routes with a parameter handle the ending themselves. */
function withJson(path: string): string[] {
  return [path, `${path}.json`];
}
