// Runs the built Worker with some captured reports, opens its main pages, and records what their
// bindings answered.

import { join } from "node:path";
import { build } from "esbuild";
import type { Answers, RecordedPage, Recording } from "../../src/warm-up/recording.ts";
import { workerFile } from "../build/built.ts";
import { createTemporaryFolder } from "../command/command-line.ts";
import { waitUntil } from "../command/tasks.ts";
import { type Capture, listCaptures, readCapture, readText } from "../reports/captures.ts";
import { SERVER_KEY } from "../rig/plain-workerd.ts";
import { type Running, startRig } from "../rig/store.ts";
import { readBindings } from "../workerd/bindings.ts";
import { ANSWERS_PATH } from "./recorder.ts";

/** Reports of servers and browsers in several languages: the parts of pages that most teams see. */
const CAPTURES = /^sentry-(?:node|browser|php|go|java|python)\./;
const REPORTED = "sentry-browser.uncaught-error";
const ENVELOPES = `/api/1/envelope/?sentry_version=7&sentry_key=${SERVER_KEY}`;
/** Enough for the parts of a page of any length, in few bytes. */
const MAX_REPORTS = 12;
/** What an isolate caches: the first request reads it. */
const SHARED = /^REGISTRY\.|^KV\.get registry$/;
/** Its page has frames, breadcrumbs and a cause. */
const OPENED = "sentry-node.exception-with-breadcrumbs-and-cause";

/** The recording of a new run. */
export async function recordAnswers(): Promise<Recording> {
  const running = await startRig(await buildRecording());
  try {
    const digest = await sendReports(running);
    await running.rest();
    const atMs = Date.now();
    const cached: Answers = await running.client.readJson(ANSWERS_PATH);
    const isShared = ([call]: [string, unknown]) => SHARED.test(call);
    const shared = Object.fromEntries(Object.entries(cached).filter(isShared));
    const pages: RecordedPage[] = [];
    for (const path of ["/issues", `/d/${digest}`, "/", `/lookup?q=${digest}`]) {
      const { status } = await running.client.send({ path, headers: { accept: "text/html" } });
      const answers: Answers = await running.client.readJson(ANSWERS_PATH);
      pages.push({ path, status, answers });
    }
    pages.push(await recordReport(running));
    return { atMs, shared, pages };
  } finally {
    await running.stop();
  }
}

/** A report as a page of a site sends it. */
async function recordReport({ client }: Running): Promise<RecordedPage> {
  const [path, body] = ["/monitoring", readText(readCapture(REPORTED))];
  const { status } = await client.send({ method: "POST", path, body });
  const answers: Answers = await client.readJson(ANSWERS_PATH);
  return { path, body, status, answers };
}

/** Sends the captures. Returns the digest of the issue whose page is opened. */
async function sendReports({ client }: Running): Promise<string> {
  const names = listCaptures().filter((name) => CAPTURES.test(name) && name !== OPENED);
  const sent = [OPENED, ...names].flatMap((name) => toEnvelope(readCapture(name)) ?? []);
  for (const body of sent.slice(0, MAX_REPORTS))
    await client.send({ method: "POST", path: ENVELOPES, body });
  const hasIssues = async () => (await client.readJson("/issues"))?.issues.length > 0;
  await waitUntil(hasIssues, { maxMs: 20_000, everyMs: 100 });
  const { issues } = await client.readJson("/issues?sort=first");
  return issues.at(-1).digest;
}

/** The envelope of a capture, if it is one with an event; a server sends it, without headers. */
function toEnvelope(capture: Capture): string | undefined {
  const text = readText(capture);
  return /^\{"(?:type)":"event"/m.test(text) ? text : undefined;
}

/** Wraps the built Worker. Resolves to the new file. */
async function buildRecording(): Promise<string> {
  const { objects } = await readBindings();
  const outfile = join(createTemporaryFolder(), "recording.js");
  const classes = objects.map(({ className }) => className).join(", ");
  const contents = `
    import built from ${JSON.stringify(workerFile)};
    import { createHandler } from "./recorder.ts";
    export { ${classes} } from ${JSON.stringify(workerFile)};
    export default createHandler(built);
  `;
  await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    format: "esm",
    platform: "node",
    external: ["cloudflare:*", "/assets/*"],
    outfile,
    logLevel: "error",
  });
  return outfile;
}
