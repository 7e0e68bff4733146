/** Every URL of Errata on one screen; the paths that reports come in at are in `http/reporting-route.ts`. */
import { Hono } from "hono";
import type { Result } from "./core/result.ts";
import type { Bindings } from "./env.ts";
import { serveAttachment } from "./http/attachment.ts";
import { serveConnect } from "./http/connect.tsx";
import { decideIssue } from "./http/decide.ts";
import { serveHome, serveLookup } from "./http/desk.tsx";
import { authorize } from "./http/door.tsx";
import {
  servePasskeySignInOptions,
  serveSignIn,
  signInWithCode,
  signInWithPasskey,
  signOut,
} from "./http/enter.tsx";
import { exportProject } from "./http/export.ts";
import { toFailureResponse } from "./http/failures.ts";
import { serveError, serveNotFound } from "./http/fallbacks.tsx";
import { importProject } from "./http/import.ts";
import { serveIssue } from "./http/issue.tsx";
import { decideSelectedIssues, redirectToNoise, serveIssueList } from "./http/issues.tsx";
import { startIssueErasure, startProjectErasure, startRebuild } from "./http/keeping.ts";
import { openLiveSocket, serveLive } from "./http/live.tsx";
import {
  addPasskey,
  servePasskeyCreationOptions,
  serveProfile,
  updateProfile,
} from "./http/me.tsx";
import { annotateIssue } from "./http/notes.ts";
import { serveCsp } from "./http/policies.tsx";
import { createProjectFromForm, serveProjects } from "./http/projects.tsx";
import { selectReceiptProject, serveReceipt } from "./http/receipt.tsx";
import { submitReceiptComment } from "./http/receipt-comment.ts";
import { serveRelease, serveReleases } from "./http/releases.tsx";
import { receiveReports } from "./http/reports.ts";
import { loadSample, removeSample } from "./http/sample.ts";
import { createGlobalHeaders, NO_STORE } from "./http/security.ts";
import { serveSelfTest, serveSelfTestKind } from "./http/self-test.tsx";
import type { AppEnv, Services } from "./http/services.ts";
import { serveAuditLog, serveSettings, updateSettings } from "./http/settings.tsx";
import { serveStatus } from "./http/status.tsx";
import { updateTheme } from "./http/theme.ts";
import { saveView } from "./http/views.ts";

/** The services that a request is served with, or what is wrong with the configuration. */
export type OpenServices = (
  env: Bindings,
  ctx: ExecutionContext,
) => Result<Services, { reason: "bad-config"; problems: readonly string[] }>;

/** The app. It keeps nothing between requests. */
export function createApp(openServices: OpenServices): Hono<AppEnv> {
  const app = new Hono<AppEnv>({ strict: false });

  app.use(async function serve(c, next) {
    const services = openServices(c.env, c.executionCtx as ExecutionContext);
    if (services.ok) {
      c.set("services", services.value);
      await next();
    } else {
      c.res = toFailureResponse(services);
      // A POST may be a report: see `takeReports`.
      if (c.req.method !== "POST") c.res.headers.set("Cache-Control", NO_STORE);
    }
    for (const [name, value] of Object.entries(createGlobalHeaders(new URL(c.req.url)))) {
      c.res.headers.set(name, value);
    }
    c.res.headers.append("Vary", "Accept");
  });

  // Public: reports come in, receipts go out, and people enter.
  app.use(receiveReports);
  for (const base of ["", "/p/:project"]) {
    app.get(`${base}/e/:digest`, selectReceiptProject, serveReceipt);
    app.post(`${base}/e/:digest`, selectReceiptProject, submitReceiptComment);
  }
  app.post("/theme", updateTheme);
  app.get("/enter", serveSignIn);
  app.post("/enter", signInWithCode);
  app.post("/enter/options", servePasskeySignInOptions);
  app.post("/enter/passkey", signInWithPasskey);
  app.post("/leave", signOut);

  // Of oneself.
  app.on("GET", withJson("/me"), requirePerson, serveProfile);
  app.post("/me", requirePerson, updateProfile);
  app.post("/me/passkeys/options", requirePerson, servePasskeyCreationOptions);
  app.post("/me/passkeys", requirePerson, addPasskey);
  app.on("GET", withJson("/projects"), requirePerson, serveProjects);
  app.post("/projects", requirePerson, createProjectFromForm);

  // The desk: the first project's at the root, of every other one below its own path.
  app.route("/", createDeskRoutes());
  app.route("/p/:project", createDeskRoutes());

  // What fails on purpose is Errata's own, and reported to the first project.
  app.get("/self-test", requireMember, serveSelfTest);
  app.get("/self-test/:kind", requireMember, serveSelfTestKind);

  app.notFound(serveNotFound);
  app.onError(serveError);
  return app;
}

const requirePerson = authorize("person");
const requireViewer = authorize("viewer");
const requireMember = authorize("member");
const requireOwner = authorize("owner");

/** The desk of one project: what everybody in it reads, what members do, what owners decide. */
function createDeskRoutes(): Hono<AppEnv> {
  const routes = new Hono<AppEnv>({ strict: false });
  routes.get("/", requireViewer, serveHome);
  routes.on("GET", withJson("/lookup"), requireViewer, serveLookup);
  routes.on("GET", withJson("/issues"), requireViewer, serveIssueList);
  routes.get("/d/:digest", requireViewer, serveIssue);
  routes.get("/d/:digest/files/:n", requireViewer, serveAttachment);
  routes.get("/noise", requireViewer, redirectToNoise);
  routes.on("GET", withJson("/releases"), requireViewer, serveReleases);
  routes.get("/releases/:name{.+}", requireViewer, serveRelease);
  routes.on("GET", withJson("/policies"), requireViewer, serveCsp);
  routes.on("POST", withJson("/policies"), authorize("viewer", "reads"), serveCsp);
  routes.on("GET", withJson("/live"), requireViewer, serveLive);
  routes.get("/live/socket", requireViewer, openLiveSocket);
  routes.on("GET", withJson("/status"), requireViewer, serveStatus);
  routes.on("GET", withJson("/connect"), requireViewer, serveConnect);

  routes.post("/issues/state", requireMember, decideSelectedIssues);
  routes.post("/views", requireMember, saveView);
  routes.post("/d/:digest/state", requireMember, decideIssue);
  routes.post("/d/:digest/notes", requireMember, annotateIssue);

  routes.post("/d/:digest/erase", requireOwner, startIssueErasure);
  routes.get("/export", authorize("owner", "is-noted"), exportProject);
  routes.post("/import", requireOwner, importProject);
  routes.post("/erase", requireOwner, startProjectErasure);
  routes.post("/rebuild", requireOwner, startRebuild);
  routes.post("/sample", requireOwner, loadSample);
  routes.post("/sample/remove", requireOwner, removeSample);
  routes.on("GET", withJson("/settings"), requireOwner, serveSettings);
  routes.post("/settings", authorize("owner", "is-registry"), updateSettings);
  routes.on("GET", withJson("/settings/audit"), requireOwner, serveAuditLog);
  return routes;
}

/** A page's address, and that of the same as JSON; what has a name in its address reads the ending itself. */
function withJson(path: string): string[] {
  return [path, `${path}.json`];
}
