/**
 * All URLs except those of a project's desk, which are in `routes-by-role.ts`, and the ingest
 * paths, which are in `http/ingest/endpoints.ts` and `ingest/formats.ts`.
 */
import { HonoBase as Hono } from "hono/hono-base";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { API_PATH } from "./core/accounts/project-path.ts";
import { DEPLOYMENT_PATH } from "./core/accounts/upload-token.ts";
import { OAUTH_PATHS } from "./core/oauth/endpoints.ts";
import { MCP_PATH } from "./core/oauth/resources.ts";
import { INJECTION_PATH } from "./core/report/injection-report.ts";
import {
  CONFIRM_EMAIL_PATH,
  FEEDS_PATH,
  SIGN_IN_PATH,
  VISITOR_LINK_PATH,
} from "./core/scrubbing/own-secrets.ts";
import { serveApi } from "./http/api/serve-api.ts";
import { serveDeployment } from "./http/auth/deployment.ts";
import {
  serveInvitation,
  servePasskeySignInOptions,
  serveSignIn,
  signInWithCode,
  signInWithPasskey,
  signOut,
} from "./http/auth/sign-in.tsx";
import type { AppEnv, OpenedServices } from "./http/context.ts";
import {
  addPasskey,
  servePasskeyCreationOptions,
  serveProfile,
  updateProfile,
} from "./http/desk/account/profile.tsx";
import { createProjectFromForm, serveProjects } from "./http/desk/account/projects.tsx";
import { updateTheme } from "./http/desk/account/theme.ts";
import { confirmEmail, serveEmailConfirmation } from "./http/desk/alerts/confirm-email.tsx";
import { serveFeed } from "./http/desk/alerts/feeds.ts";
import { serveOpenSearch } from "./http/desk/lookup/opensearch.ts";
import { serveError, serveNotFound } from "./http/desk/not-found-and-error.tsx";
import { SETTINGS_LINKS } from "./http/desk/settings-pages.ts";
import { sendInjection } from "./http/desk/setup/injection-test.tsx";
import { removeSelfTests, serveSelfTest, serveSelfTestKind } from "./http/desk/setup/self-test.tsx";
import { serveDocsSearch } from "./http/docs-search.tsx";
import { toFailureResponse, toProblemResponse } from "./http/failure-response.ts";
import { receiveHook } from "./http/hooks/receive-hook.ts";
import { receiveReports } from "./http/ingest/receive-reports.ts";
import { serveMcp } from "./http/mcp/serve-mcp.ts";
import { decideAuthorization, serveAuthorization } from "./http/oauth/authorize.tsx";
import { requireOAuth } from "./http/oauth/availability.ts";
import { decideDevice, serveDevice } from "./http/oauth/device.tsx";
import { METADATA_PATHS, serveMetadata } from "./http/oauth/serve-metadata.ts";
import { serveDeviceAuthorization, serveRevocation, serveToken } from "./http/oauth/token.ts";
import { submitReceiptComment } from "./http/receipts/comment.ts";
import { redirectToReceipt, selectReceiptProject, serveReceipt } from "./http/receipts/receipt.tsx";
import {
  answerVisitorLink,
  askToBeTold,
  redirectToForm,
  serveVisitorLink,
} from "./http/receipts/tell.tsx";
import { createGlobalHeaders, NO_STORE, SAME_ORIGIN_RESOURCE } from "./http/security-headers.ts";
import { serveSentryApi } from "./http/sentry-api/serve-sentry-api.ts";
import {
  createDeskRoutes,
  requireMember,
  requireOwner,
  requirePerson,
  withJson,
} from "./routes-by-role.ts";
import { OPENSEARCH_PATH } from "./ui/urls/lookup-urls.ts";

/**
 * Responds to a request. Reports come first and without the router, which would cost half as much
 * as a bare request.
 */
export async function handleRequest(
  request: Request,
  opened: OpenedServices,
  ctx: ExecutionContext,
): Promise<Response> {
  const url = URL.parse(request.url);
  // workerd takes the host of the URL from the request unchecked.
  if (url === null) return toFailureResponse({ reason: "bad-host" });
  return (await receiveReports(request, url, opened)) ?? getApp().fetch(request, opened, ctx);
}

/** The URLs besides ingest. */
export function createApp(): Hono<AppEnv> {
  const app = new Hono<AppEnv>({ strict: false, router: new RegExpRouter() });

  app.use(async function serve(c, next) {
    const services = c.env;
    if (services.ok) {
      c.set("services", services.value);
      c.set("settingsLinks", SETTINGS_LINKS);
      await next();
    } else {
      const isApi = c.req.path.includes(`${API_PATH}/`);
      c.res = isApi ? toProblemResponse(services) : toFailureResponse(services);
      // A POST may be a report to a tunnel: see `receiveReports`.
      if (c.req.method !== "POST") c.res.headers.set("Cache-Control", NO_STORE);
    }
    for (const [name, value] of Object.entries(createGlobalHeaders(new URL(c.req.url))))
      c.res.headers.set(name, value);
    c.res.headers.append("Vary", "Accept");
  });

  // For programs: the API, agents, upload tools, and which deployment this is.
  for (const base of ["", "/p/:project"]) {
    app.all(`${base}${API_PATH}/*`, serveApi);
    app.all(`${base}${MCP_PATH}`, serveMcp);
  }
  for (const path of METADATA_PATHS) app.all(path, serveMetadata);
  app.post(OAUTH_PATHS.token, requireOAuth, serveToken);
  app.post(OAUTH_PATHS.revoke, requireOAuth, serveRevocation);
  app.post(OAUTH_PATHS.deviceAuthorization, requireOAuth, serveDeviceAuthorization);
  app.all("/api/0/*", serveSentryApi);
  app.get(DEPLOYMENT_PATH, serveDeployment);

  // By default, responses to people must not be embedded by other sites or cached.
  app.use(async function keepPrivate(c, next) {
    await next();
    for (const [name, value] of Object.entries(SAME_ORIGIN_RESOURCE))
      c.res.headers.set(name, value);
    if (!c.res.headers.has("Cache-Control")) c.res.headers.set("Cache-Control", NO_STORE);
  });

  // Public: receipts and sign-in.
  for (const base of ["", "/p/:project"]) {
    app.get(`${base}${OPENSEARCH_PATH}`, serveOpenSearch);
    app.get(`${base}/e/:digest`, selectReceiptProject, serveReceipt);
    // The addresses of QR codes are in capitals, which need fewer modules.
    app.get(`${base.toUpperCase().replace(":PROJECT", ":project")}/R/:digest`, redirectToReceipt);
    app.post(`${base}/e/:digest`, selectReceiptProject, submitReceiptComment);
    app.get(`${base}/e/:digest/tell`, selectReceiptProject, redirectToForm);
    app.post(`${base}/e/:digest/tell`, selectReceiptProject, askToBeTold);
    app.get(`${base}/e/:digest${VISITOR_LINK_PATH}`, selectReceiptProject, serveVisitorLink);
    app.post(`${base}/e/:digest${VISITOR_LINK_PATH}`, selectReceiptProject, answerVisitorLink);
    app.get(`${base}${FEEDS_PATH}/:token`, selectReceiptProject, serveFeed);
    app.get(`${base}${CONFIRM_EMAIL_PATH}`, selectReceiptProject, serveEmailConfirmation);
    app.post(`${base}${CONFIRM_EMAIL_PATH}`, selectReceiptProject, confirmEmail);
  }
  for (const base of ["", "/p/:project"])
    app.post(`${base}/hooks/:tracker`, selectReceiptProject, receiveHook);
  app.get("/docs/search", serveDocsSearch);
  app.post("/theme", updateTheme);
  app.get(SIGN_IN_PATH, serveSignIn);
  app.post(SIGN_IN_PATH, signInWithCode);
  app.post(`${SIGN_IN_PATH}/invitation`, serveInvitation);
  app.post(`${SIGN_IN_PATH}/options`, servePasskeySignInOptions);
  app.post(`${SIGN_IN_PATH}/passkey`, signInWithPasskey);
  app.post("/sign-out", signOut);

  // The signed-in person.
  app.on("GET", withJson("/profile"), requirePerson, serveProfile);
  app.post("/profile", requirePerson, updateProfile);
  app.post("/profile/passkeys/options", requirePerson, servePasskeyCreationOptions);
  app.post("/profile/passkeys", requirePerson, addPasskey);
  app.on("GET", withJson("/projects"), requirePerson, serveProjects);
  app.post("/projects", requirePerson, createProjectFromForm);

  // The programs of the signed-in person.
  app.get(OAUTH_PATHS.authorize, requireOAuth, requirePerson, serveAuthorization);
  app.post(OAUTH_PATHS.authorize, requireOAuth, requirePerson, decideAuthorization);
  app.get(OAUTH_PATHS.device, requireOAuth, requirePerson, serveDevice);
  app.post(OAUTH_PATHS.device, requireOAuth, requirePerson, decideDevice);

  // The desk: that of the first project at the root, the others at /p/<project>.
  app.route("/", createDeskRoutes());
  app.route("/p/:project", createDeskRoutes());

  // Deliberate failures, reported to the first project.
  app.get("/self-test", requireMember, serveSelfTest);
  app.post(INJECTION_PATH, requireMember, sendInjection);
  app.get("/self-test/:kind", requireMember, serveSelfTestKind);
  app.post("/self-test/remove", requireOwner, removeSelfTests);

  app.notFound(serveNotFound);
  app.onError(serveError);
  return app;
}

/** Created by the first request that is no report. It has no state between requests. */
let app: ReturnType<typeof createApp> | undefined;

function getApp(): ReturnType<typeof createApp> {
  app ??= createApp();
  return app;
}
