/**
 * All URLs except those of a project's desk, which are in `routes-by-role.ts`, and the ingest
 * paths, which are in `http/ingest/endpoints.ts`.
 */
import { HonoBase as Hono } from "hono/hono-base";
import { RegExpRouter } from "hono/router/reg-exp-router";
import type { Bindings } from "./bindings.ts";
import { DEPLOYMENT_PATH } from "./core/accounts/upload-token.ts";
import type { Result } from "./core/result.ts";
import { CONFIRM_EMAIL_PATH, FEEDS_PATH, SIGN_IN_PATH } from "./core/scrubbing/own-secrets.ts";
import {
  servePasskeySignInOptions,
  serveSignIn,
  signInWithCode,
  signInWithPasskey,
  signOut,
} from "./http/auth/sign-in.tsx";
import type { AppEnv, Services } from "./http/context.ts";
import { serveDeployment } from "./http/deployment.ts";
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
import { serveError, serveNotFound } from "./http/desk/not-found-and-error.tsx";
import { SETTINGS_LINKS } from "./http/desk/settings-pages.ts";
import { removeSelfTests, serveSelfTest, serveSelfTestKind } from "./http/desk/setup/self-test.tsx";
import { toFailureResponse } from "./http/failure-response.ts";
import { receiveReports, receiveUpload, refuseReports } from "./http/ingest/receive-reports.ts";
import { submitReceiptComment } from "./http/receipts/comment.ts";
import { selectReceiptProject, serveReceipt } from "./http/receipts/receipt.tsx";
import { createGlobalHeaders, NO_STORE } from "./http/security-headers.ts";
import { serveSentryApi } from "./http/sentry-api/serve-sentry-api.ts";
import {
  createDeskRoutes,
  requireMember,
  requireOwner,
  requirePerson,
  withJson,
} from "./routes-by-role.ts";

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
      c.set("settingsLinks", SETTINGS_LINKS);
      await next();
    } else {
      c.res = (await refuseReports(c.req.raw, services)) ?? toFailureResponse(services);
      // A POST may be a report: see `receiveReports`.
      if (c.req.method !== "POST") c.res.headers.set("Cache-Control", NO_STORE);
    }
    for (const [name, value] of Object.entries(createGlobalHeaders(new URL(c.req.url))))
      c.res.headers.set(name, value);
    c.res.headers.append("Vary", "Accept");
  });

  // Upload tools. Before ingest, which would treat some of the paths as tunnels.
  app.all("/api/0/*", serveSentryApi);

  // Public: which deployment this is, ingest, receipts and sign-in.
  app.get(DEPLOYMENT_PATH, serveDeployment);
  app.use(receiveReports);
  for (const base of ["", "/p/:project"]) {
    app.get(`${base}/e/:digest`, selectReceiptProject, serveReceipt);
    app.post(`${base}/e/:digest`, selectReceiptProject, submitReceiptComment);
    app.get(`${base}${FEEDS_PATH}/:token`, selectReceiptProject, serveFeed);
    app.get(`${base}${CONFIRM_EMAIL_PATH}`, selectReceiptProject, serveEmailConfirmation);
    app.post(`${base}${CONFIRM_EMAIL_PATH}`, selectReceiptProject, confirmEmail);
  }
  app.post("/theme", updateTheme);
  app.get(SIGN_IN_PATH, serveSignIn);
  app.post(SIGN_IN_PATH, signInWithCode);
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

  // The desk: that of the first project at the root, the others at /p/<project>.
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
