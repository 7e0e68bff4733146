/** Every URL of Errata on one screen; the paths that reports come in at are in `http/reporting-route.ts`. */
import { Hono } from "hono";
import type { Result } from "./core/result.ts";
import type { Bindings } from "./env.ts";
import { attachment } from "./http/attachment.ts";
import { connect } from "./http/connect.tsx";
import { decideState } from "./http/decide.ts";
import { home, lookup } from "./http/desk.tsx";
import { door } from "./http/door.tsx";
import { enter, enterByCode, enterByPasskey, enterOptions, leave } from "./http/enter.tsx";
import { exportProject } from "./http/export.ts";
import { failureResponse } from "./http/failures.ts";
import { broken, missing } from "./http/fallbacks.tsx";
import { importProject } from "./http/import.ts";
import { issue } from "./http/issue.tsx";
import { decideSelected, issues, noise } from "./http/issues.tsx";
import { eraseOfIssue, eraseOfProject, rebuild } from "./http/keeping.ts";
import { live, liveSocket } from "./http/live.tsx";
import { addPasskey, changeMe, me, newPasskeyOptions } from "./http/me.tsx";
import { changeNotes } from "./http/notes.ts";
import { policies } from "./http/policies.tsx";
import { createProject, projects } from "./http/projects.tsx";
import { receipt, receiptsOf } from "./http/receipt.tsx";
import { commentOnReceipt } from "./http/receipt-comment.ts";
import { release, releases } from "./http/releases.tsx";
import { takeReports } from "./http/reports.ts";
import { loadSample, removeSample } from "./http/sample.ts";
import { DESK_CACHE, headersEverywhere } from "./http/security.ts";
import { selfTest, selfTestKindPage } from "./http/self-test.tsx";
import type { AppEnv, Services } from "./http/services.ts";
import { audit, changeSettings, settings } from "./http/settings.tsx";
import { status } from "./http/status.tsx";
import { chooseTheme } from "./http/theme.ts";
import { saveView } from "./http/views.ts";

/** The services that a request is served with, or what is wrong with the configuration. */
export type Open = (
  env: Bindings,
  ctx: ExecutionContext,
) => Result<Services, { reason: "bad-config"; problems: readonly string[] }>;

/** The app. It keeps nothing between requests. */
export function createApp(open: Open): Hono<AppEnv> {
  const app = new Hono<AppEnv>({ strict: false });

  app.use(async function serve(c, next) {
    const services = open(c.env, c.executionCtx as ExecutionContext);
    if (services.ok) {
      c.set("services", services.value);
      await next();
    } else {
      c.res = failureResponse(services);
      // A POST may be a report: see `takeReports`.
      if (c.req.method !== "POST") c.res.headers.set("Cache-Control", DESK_CACHE);
    }
    for (const [name, value] of Object.entries(headersEverywhere(new URL(c.req.url)))) {
      c.res.headers.set(name, value);
    }
    c.res.headers.append("Vary", "Accept");
  });

  // Public: reports come in, receipts go out, and people enter.
  app.use(takeReports);
  for (const base of ["", "/p/:project"]) {
    app.get(`${base}/e/:digest`, receiptsOf, receipt);
    app.post(`${base}/e/:digest`, receiptsOf, commentOnReceipt);
  }
  app.post("/theme", chooseTheme);
  app.get("/enter", enter);
  app.post("/enter", enterByCode);
  app.post("/enter/options", enterOptions);
  app.post("/enter/passkey", enterByPasskey);
  app.post("/leave", leave);

  // Of oneself.
  app.on("GET", andJson("/me"), person, me);
  app.post("/me", person, changeMe);
  app.post("/me/passkeys/options", person, newPasskeyOptions);
  app.post("/me/passkeys", person, addPasskey);
  app.on("GET", andJson("/projects"), person, projects);
  app.post("/projects", person, createProject);

  // The desk: the first project's at the root, of every other one below its own path.
  app.route("/", desk());
  app.route("/p/:project", desk());

  // What fails on purpose is Errata's own, and reported to the first project.
  app.get("/self-test", member, selfTest);
  app.get("/self-test/:kind", member, selfTestKindPage);

  app.notFound(missing);
  app.onError(broken);
  return app;
}

const person = door("person");
const viewer = door("viewer");
const member = door("member");
const owner = door("owner");

/** The desk of one project: what everybody in it reads, what members do, what owners decide. */
function desk(): Hono<AppEnv> {
  const one = new Hono<AppEnv>({ strict: false });
  one.get("/", viewer, home);
  one.on("GET", andJson("/lookup"), viewer, lookup);
  one.on("GET", andJson("/issues"), viewer, issues);
  one.get("/d/:digest", viewer, issue);
  one.get("/d/:digest/files/:n", viewer, attachment);
  one.get("/noise", viewer, noise);
  one.on("GET", andJson("/releases"), viewer, releases);
  one.get("/releases/:name{.+}", viewer, release);
  one.on("GET", andJson("/policies"), viewer, policies);
  one.on("POST", andJson("/policies"), door("viewer", "reads"), policies);
  one.on("GET", andJson("/live"), viewer, live);
  one.get("/live/socket", viewer, liveSocket);
  one.on("GET", andJson("/status"), viewer, status);
  one.on("GET", andJson("/connect"), viewer, connect);

  one.post("/issues/state", member, decideSelected);
  one.post("/views", member, saveView);
  one.post("/d/:digest/state", member, decideState);
  one.post("/d/:digest/notes", member, changeNotes);

  one.post("/d/:digest/erase", owner, eraseOfIssue);
  one.get("/export", door("owner", "is-noted"), exportProject);
  one.post("/import", owner, importProject);
  one.post("/erase", owner, eraseOfProject);
  one.post("/rebuild", owner, rebuild);
  one.post("/sample", owner, loadSample);
  one.post("/sample/remove", owner, removeSample);
  one.on("GET", andJson("/settings"), owner, settings);
  one.post("/settings", door("owner", "is-registry"), changeSettings);
  one.on("GET", andJson("/settings/audit"), owner, audit);
  return one;
}

/** A page's address, and that of the same as JSON; what has a name in its address reads the ending itself. */
function andJson(path: string): string[] {
  return [path, `${path}.json`];
}
