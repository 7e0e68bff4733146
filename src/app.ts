/** Every URL of Errata on one screen; the paths that reports come in at are in `http/reporting-route.ts`. */
import { Hono } from "hono";
import type { Result } from "./core/result.ts";
import type { Bindings } from "./env.ts";
import { attachment } from "./http/attachment.ts";
import { connect } from "./http/connect.tsx";
import { decideState } from "./http/decide.ts";
import { home, lookup } from "./http/desk.tsx";
import { exportProject } from "./http/export.ts";
import { failureResponse } from "./http/failures.ts";
import { broken, missing } from "./http/fallbacks.tsx";
import { importProject } from "./http/import.ts";
import { issue } from "./http/issue.tsx";
import { decideSelected, issues, noise } from "./http/issues.tsx";
import { eraseOfIssue, eraseOfProject, rebuild } from "./http/keeping.ts";
import { live, liveSocket } from "./http/live.tsx";
import { localOnly } from "./http/local.tsx";
import { changeNotes } from "./http/notes.ts";
import { policies } from "./http/policies.tsx";
import { receipt } from "./http/receipt.tsx";
import { commentOnReceipt } from "./http/receipt-comment.ts";
import { release, releases } from "./http/releases.tsx";
import { takeReports } from "./http/reports.ts";
import { loadSample, removeSample } from "./http/sample.ts";
import { DESK_CACHE, EVERYWHERE } from "./http/security.ts";
import { selfTest, selfTestKindPage } from "./http/self-test.tsx";
import type { AppEnv, Services } from "./http/services.ts";
import { status } from "./http/status.tsx";
import { chooseTheme } from "./http/theme.ts";
import { saveView } from "./http/views.ts";

/** Opens the services of one request, or says what is wrong with the configuration. */
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
    }
    for (const [name, value] of Object.entries(EVERYWHERE)) c.res.headers.set(name, value);
    // Whatever does not say otherwise is of the desk, and no cache's business.
    if (!c.res.headers.has("Cache-Control")) c.res.headers.set("Cache-Control", DESK_CACHE);
    c.res.headers.append("Vary", "Accept");
  });

  // Public: reports come in, receipts go out.
  app.use(takeReports);
  app.get("/e/:digest", receipt);
  app.post("/e/:digest", commentOnReceipt);
  app.post("/theme", chooseTheme);

  // The desk.
  app.get("/", localOnly, home);
  app.on("GET", andJson("/lookup"), localOnly, lookup);
  app.on("GET", andJson("/issues"), localOnly, issues);
  app.post("/issues/state", localOnly, decideSelected);
  app.post("/views", localOnly, saveView);
  app.get("/d/:digest", localOnly, issue);
  app.post("/d/:digest/state", localOnly, decideState);
  app.post("/d/:digest/notes", localOnly, changeNotes);
  app.post("/d/:digest/erase", localOnly, eraseOfIssue);
  app.get("/d/:digest/files/:n", localOnly, attachment);
  app.get("/noise", localOnly, noise);
  app.on("GET", andJson("/releases"), localOnly, releases);
  app.get("/releases/:name{.+}", localOnly, release);
  app.on(["GET", "POST"], andJson("/policies"), localOnly, policies);
  app.on("GET", andJson("/live"), localOnly, live);
  app.get("/live/socket", localOnly, liveSocket);
  app.on("GET", andJson("/status"), localOnly, status);
  app.get("/export", localOnly, exportProject);
  app.post("/import", localOnly, importProject);
  app.post("/erase", localOnly, eraseOfProject);
  app.post("/rebuild", localOnly, rebuild);
  app.on("GET", andJson("/connect"), localOnly, connect);
  app.post("/sample", localOnly, loadSample);
  app.post("/sample/remove", localOnly, removeSample);
  app.get("/self-test", localOnly, selfTest);
  app.get("/self-test/:kind", localOnly, selfTestKindPage);

  app.notFound(missing);
  app.onError(broken);
  return app;
}

/** A page's address, and that of the same as JSON; what has a name in its address reads the ending itself. */
function andJson(path: string): string[] {
  return [path, `${path}.json`];
}
