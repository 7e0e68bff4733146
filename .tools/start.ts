// `npm start`: builds Errata and serves it on this machine until SIGINT, SIGTERM or SIGHUP. PORT
// chooses the port (8787), ERRATA_STATE the folder of KV and Durable Objects (.errata), ERRATA_KEY
// and ERRATA_SERVER_KEY the keys of project 1 (made at the first start and kept in that folder).
// Any other ERRATA_… becomes a variable of the Worker; ERRATA_LOCAL=open opens Errata to this
// machine without a link. `--no-build` serves the existing build.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { build } from "./build/build.ts";

import { parseOptions, quit, SIGNALS } from "./command/command-line.ts";
import { makeLink } from "./deploy/sign-in-link.ts";
import { makeUploadToken, uploadOwnMaps } from "./deploy/upload-maps.ts";
import { root } from "./install.mjs";
import { keepKey } from "./local/keys.ts";
import { describeOwner, findOwner } from "./local/owners.ts";
import { assertFree } from "./local/port.ts";
import { serve } from "./local/serve.ts";

const { "no-build": hasBuild } = parseOptions({ "no-build": { type: "boolean", default: false } });
const { PORT = "8787", ERRATA_STATE, ERRATA_KEY, ERRATA_SERVER_KEY, ...environment } = process.env;
const port = Number(PORT);
if (!/^\d+$/.test(PORT) || port > 65535) {
  quit(`PORT must be a number from 0 to 65535, but is ${JSON.stringify(PORT)}.`);
}
const host = "127.0.0.1";
// An empty value counts as unset: it would put the store and its key into the checkout.
const statePath = resolve(root, ERRATA_STATE || ".errata");
const startTimeoutMs = 20_000;
const stopTimeoutMs = 1_500;

/** Stops the current step: first the build, then the server. */
let stop = async () => {};
let ending = false;
for (const signal of SIGNALS) process.on(signal, end);
endWithParent();

await assertFree(port, host).catch(failToListen);
// The folder contains secrets, so only this user may read it.
process.umask(0o077);
takeState();
if (!hasBuild) console.log("Building …");
const building = hasBuild ? Promise.resolve({ ok: true, message: "" }) : build();
stop = async () => void (await building);
const built = await building;
if (!built.ok) quit(`${built.message}\n\nThe build failed. See the output above.`);

const key = ERRATA_KEY || keepKey(statePath, "public");
const serverKey = ERRATA_SERVER_KEY || keepKey(statePath, "server");
const link = makeLink(Date.now());
const { token, upload } = makeUploadToken(Date.now());
const starting = serve({
  port,
  statePath,
  key,
  serverKey,
  vars: {
    ERRATA_SETUP: link.setup,
    ERRATA_UPLOAD: upload,
    ERRATA_MAIL_FROM: "errata@localhost",
    ...listVariables(),
  },
  log,
  endsOnSignals: false,
});
stop = async () => (await starting).stop();
const { url, pid, ended } = await starting.catch(failToListen);
void ended.then(() => ending || quit("workerd has stopped. See the output above."));
writeFileSync(join(statePath, "pid"), `${[process.pid, pid].map(describeOwner).join("\n")}\n`);
await waitForAnswer();
if (!ending) console.log(formatWelcome(url, built.message));
const mapProblem = await uploadOwnMaps(url.replace("127.0.0.1", "localhost"), token, {
  maxMs: 1_000,
  pauseMs: 100,
});
if (mapProblem !== undefined && !ending)
  console.error(`The source maps of Errata were not uploaded: ${mapProblem}`);

/** Stops the server and exits with 0. Further signals do nothing. */
async function end() {
  if (ending) return;
  ending = true;
  await Promise.race([stop().catch(() => {}), wait(stopTimeoutMs)]);
  process.exit(0);
}

/**
 * Ends together with npm, because some shells in which npm starts scripts end on a signal without
 * passing it on.
 */
function endWithParent() {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || end(), 250).unref();
}

/**
 * Two servers on one data folder would overwrite each other's log. A file in the folder therefore
 * names the processes that use it: this one, and workerd, which continues if this one is killed.
 */
function takeState() {
  const file = join(statePath, "pid");
  try {
    mkdirSync(statePath, { recursive: true });
    const owner = existsSync(file) ? findOwner(readFileSync(file, "utf8")) : undefined;
    if (owner !== undefined) {
      quit(
        `The data folder ${statePath} is in use by process ${owner}. Stop this process, or set ERRATA_STATE.`,
      );
    }
    writeFileSync(file, `${describeOwner(process.pid)}\n`);
  } catch (error) {
    quit(
      `ERRATA_STATE must be a writable folder: ${error instanceof Error ? error.message : error}`,
    );
  }
  process.on("exit", () => rmSync(file, { force: true }));
}

/** The variables of the Worker from the environment. */
function listVariables() {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (name.startsWith("ERRATA_") && value !== undefined) given[name] = value;
  }
  return given;
}

function log({ level, message }: { level: string; message: string }) {
  if (level === "error" || level === "warn") console.error(message);
  else console.log(message);
}

/** Resolves after the first response of the Worker, which makes the next one fast. */
async function waitForAnswer() {
  try {
    const answer = await fetch(url, {
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(startTimeoutMs),
    });
    // A request without a session gets a 401.
    if (!answer.ok && answer.status !== 401) {
      const { detail } = await answer.json();
      throw new Error(`status ${answer.status}. ${detail}`);
    }
    await answer.body?.cancel();
  } catch (error) {
    if (ending) return;
    ending = true;
    await stop();
    quit(
      `Errata started at ${url}, but does not respond: ${error instanceof Error ? error.message : error}`,
    );
  }
}

function failToListen(error: Error & { code?: string }): never {
  quit(
    error.code === "EADDRINUSE"
      ? `Port ${port} is in use. Stop the other program, or choose another port: PORT=${port + 1} npm start`
      : `Errata could not start: ${error.message}`,
  );
}

/**
 * Formats the text that `npm start` prints once the server answers. Links name `localhost`, because
 * passkeys and sessions need a host name, not an IP address.
 */
function formatWelcome(url: string, built: string): string {
  const isOpen = environment.ERRATA_LOCAL === "open";
  const folder = relative(root, statePath) || statePath;
  const { origin, host } = new URL(url);
  const address = origin.replace("127.0.0.1", "localhost");
  const [bold, plain] = process.stdout.isTTY ? ["\x1b[1m", "\x1b[0m"] : ["", ""];
  const example = JSON.stringify({
    error: {
      name: "TypeError",
      message: "cart is undefined",
      digest: "2338823894",
      stack: "TypeError: cart is undefined\n    at Cart (/srv/shop/app/cart/page.js:12:7)",
    },
    request: { path: "/cart", method: "GET", headers: {} },
    context: { routerKind: "App Router", routePath: "/cart", routeType: "render" },
  });
  const enter = isOpen ? address : link.at(address);
  return `
  ${bold}Errata is at ${address}${plain}

  ${isOpen ? "Open Errata (no sign-in on this machine: ERRATA_LOCAL)" : "Sign in (the link works once and expires after a day; every start creates a new one)"}
    ${enter}

  Trigger test failures and see their digests
    ${address}/self-test

  DSN for SDKs in browsers (public)
    http://${key}@${host}/1

  DSN for SDKs on servers (secret: keep it out of pages)
    http://${serverKey}@${host}/1

  Send a server error as Next.js would, then look up 2338823894
    curl ${origin}/monitoring -d '${example}'

  ${built && `${built}. `}Data folder: ${folder}. Press Ctrl-C to stop.
`;
}
