// `npm run deploy:front -- shop.example/*`: puts Errata in front of a site on Cloudflare, without a
// change of the site. src/docs/front.md describes what it does to pages, and how it is removed.
//
//     npm run deploy:front -- 'shop.example/*' 'www.shop.example/*'
//     npm run deploy:front -- 'shop.example/*' --errata https://errata.example   Errata by its URL
//     npm run deploy:front -- 'shop.example/*' --errata errata-2                 another Worker's name
//     npm run deploy:front -- 'shop.example/*' --path /_errata                   another path for reports
//     npm run deploy:front -- 'shop.example/*' --name front-2 --dry-run

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { type Dsn, parseDsn } from "../src/adapters/dsn.ts";
import { buildFront, frontFile } from "./build/front.ts";
import { createTemporaryFolder, quit, readOptions } from "./command/command-line.ts";
import { readDeployedWorker, readWorker } from "./deploy/deployed-worker.ts";
import * as messages from "./deploy/front-messages.ts";
import { findFrontUrl, formatFrontConfig, parseFrontArguments } from "./deploy/front-request.ts";
import { createWrangler } from "./deploy/wrangler.ts";
import { readBindings } from "./workerd/bindings.ts";

const DSN = "ERRATA_DSN";
const CHECKS = 10;
const PAUSE_MS = 3_000;
const TIMEOUT_MS = 10_000;

const request = readOptions(parseFrontArguments);
const folder = createTemporaryFolder();
const runWrangler = createWrangler(folder);
const target = ["--name", request.name, ...request.account];

await buildFront();
const { service, url } = await findErrata();
const dsn = request.isDryRun ? undefined : await findDsn();
console.log(messages.formatWay(service ?? url ?? dsn?.origin ?? "Errata", service !== undefined));

const { compatibilityDate } = await readBindings();
const config = join(folder, "wrangler.json");
writeFileSync(config, formatFrontConfig(request, { main: frontFile, compatibilityDate, service }));
const { exitCode } = await runWrangler(
  [
    ...["deploy", "--config", config, ...request.account],
    ...(request.isDryRun ? ["--dry-run"] : []),
    ...(dsn === undefined ? [] : ["--secrets-file", writeSecret(dsn.text)]),
  ],
  true,
);
if (exitCode !== 0) {
  console.error(messages.FRONT_NOT_DEPLOYED);
  process.exit(exitCode);
}
if (!request.isDryRun) console.log(messages.formatDeployedFront(request, await isServed()));

/** Where Errata is: in this account, or somewhere else. */
async function findErrata(): Promise<{ service?: string; url?: string }> {
  const { errata } = request;
  if ("url" in errata) return { url: errata.url };
  if (request.isDryRun) return { service: errata.worker };
  const found = await readDeployedWorker(runWrangler, [
    "--name",
    errata.worker,
    ...request.account,
  ]);
  return found.is === "errata" ? { service: errata.worker } : {};
}

/** The DSN to store; undefined if the front has one already. */
async function findDsn(): Promise<(Dsn & { text: string }) | undefined> {
  const front = await readWorker(runWrangler, target);
  if (front.is === "unknown") quit(messages.formatUnknownAccount(front.why));
  const isFront = front.is === "found" && front.bindings.has(DSN);
  if (front.is === "found" && !isFront) quit(messages.formatForeignFront(request));
  const given = process.env[DSN];
  if (isFront && !given) return undefined;
  const text = given || (await askForDsn());
  const dsn = parseDsn(text);
  if (dsn === undefined || !dsn.key.startsWith("errata_server_")) quit(messages.WRONG_DSN);
  if (url !== undefined && url !== dsn.origin) quit(messages.formatOtherErrata(dsn.origin, url));
  if (await isRefused(dsn)) quit(messages.REFUSED_DSN);
  return { ...dsn, text: text.trim() };
}

/** Asks without showing what is typed. */
async function askForDsn(): Promise<string> {
  if (!process.stdin.isTTY || !process.stdout.isTTY || process.env.CI) quit(messages.NO_DSN);
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  lines.on("SIGINT", () => process.exit(130));
  // Not before: from now on, the terminal does not show what is typed either.
  process.stdout.write(messages.ASK_DSN);
  const text = await lines.question("");
  lines.close();
  process.stdout.write("\n");
  return text;
}

/** True if Errata knows no such key. An Errata that does not answer may do so later. */
async function isRefused({ ingestUrl }: Dsn): Promise<boolean> {
  const body = JSON.stringify({ errata: 1, reports: [] });
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(ingestUrl, { method: "POST", body, signal }).catch(() => undefined);
  return response?.status === 401;
}

function writeSecret(text: string): string {
  const file = join(folder, "secrets.json");
  writeFileSync(file, JSON.stringify({ [DSN]: text }), { mode: 0o600 });
  return file;
}

/** True as soon as the front answers on the site; undefined if no route names a host. */
async function isServed(): Promise<boolean | undefined> {
  const script = findFrontUrl(request);
  if (script === undefined) return undefined;
  for (let checks = CHECKS; checks > 0; checks--) {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(script, { signal, redirect: "manual" }).catch(() => undefined);
    if (response?.ok && response.headers.get("content-type")?.includes("javascript")) return true;
    if (checks > 1) await wait(PAUSE_MS);
  }
  return false;
}
