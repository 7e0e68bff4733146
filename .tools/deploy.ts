// `npm run deploy`: deploys Errata to Cloudflare, creates its server key if it has none, prints the
// one-time sign-in link, and uploads the source maps of the build. Arguments after `--` go to
// `wrangler deploy`. `--print-link` prints link and key without a terminal too (CI).

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createTemporaryFolder, quit, SIGNALS, showProgress } from "./command/command-line.ts";
import { parseDeployArguments, removeOption } from "./deploy/arguments.ts";
import { openAllObjects, readRecordedData } from "./deploy/data-versions.ts";
import { type DeployedWorker, readDeployedWorker, SERVER_KEY } from "./deploy/deployed-worker.ts";
import { findOrigin, parsePrintedTargets } from "./deploy/find-origin.ts";
import {
  findLeftNamespace,
  NAMESPACE_EXISTS,
  writeConfigWithNamespace,
} from "./deploy/left-namespace.ts";
import * as messages from "./deploy/messages.ts";
import { readSettings } from "./deploy/read-settings.ts";
import { makeLink } from "./deploy/sign-in-link.ts";
import { makeUploadToken, readDeployment, uploadOwnMaps } from "./deploy/upload-maps.ts";
import { createWrangler, type WranglerRun } from "./deploy/wrangler.ts";
import { createServerKey } from "./local/keys.ts";

/** A new host name may need some minutes until it resolves. */
const UPLOAD_MAX_MS = 180_000;
const PAUSE_MS = 2_000;
/** Objects may run the version before for five minutes. Large data is filled in the background. */
const OPEN_MAX_MS = 360_000;
/** npm passes a signal on that this process receives from the terminal too. */
const SAME_SIGNAL_MS = 1_000;

const isTerminal = Boolean(process.stdin.isTTY && process.stdout.isTTY);
const request = parseDeployArguments(process.argv.slice(2), process.env, isTerminal);
const { target, mayPrintSecrets } = request;
const folder = createTemporaryFolder();
const runWrangler = createWrangler(folder);
if (!request.isDeployment) {
  process.exit((await runWrangler(["deploy", ...request.args], true)).exitCode);
}

// wrangler receives the signal too. Afterwards, what is valid by then is printed.
let stoppedMs: number | undefined;
for (const signal of SIGNALS) {
  process.on(signal, () => {
    if (performance.now() - (stoppedMs ?? Infinity) > SAME_SIGNAL_MS) process.exit(130);
    stoppedMs ??= performance.now();
  });
}
const isStopped = () => stoppedMs !== undefined;

const [settings, before] = await Promise.all([readSettings(request), readWorkerBefore()]);
const worker = request.name ?? settings?.worker ?? "errata";
if (before.is === "foreign" && !request.isVerifiedByWrangler) quit(messages.formatForeign(worker));
if (isStopped()) process.exit(130);

await refuseLaterData();

const link = makeLink(Date.now());
const { token, upload } = makeUploadToken(Date.now());
const isUpdate = before.is === "errata";
const needsKey = !hasServerKey(before);
let newKey = needsKey && mayPrintSecrets ? createServerKey() : undefined;
// Together with the code, so that a rollback to the first version keeps the key.
const isKeyInUpload = newKey !== undefined && before.is !== "unknown" && request.maySendSecret;

const result = await deploy();
const after = result.targets === undefined ? await readWorkerAfter() : "deployed";
if (after === "not deployed") {
  if (result.exitCode === 0) console.log("\n  Nothing was deployed.\n");
  else await explainFailure(result);
  process.exit(isStopped() ? 130 : result.exitCode);
}
const isUnknown = typeof after === "object";
if (isUnknown) console.error(messages.formatUnknown(after.why));
else if (result.exitCode !== 0) console.error(messages.PARTLY_DEPLOYED);

const origin =
  result.targets === undefined ? await findOriginAfterFailure() : findOrigin(result.targets);
const serverKey = isKeyInUpload || isUnknown ? newKey : await addServerKey();
const printedLink = origin === undefined ? undefined : link.at(origin);
console.log(
  mayPrintSecrets
    ? messages.formatWelcome({ origin, link: printedLink, serverKey, isNew: !isUpdate })
    : messages.formatWithoutSecrets(origin, needsKey),
);
if (origin === undefined)
  quit(result.targets === undefined ? messages.UNKNOWN_ORIGIN : messages.NO_ORIGIN);
if (isStopped()) {
  console.error(messages.formatMapProblem("the command was stopped"));
  process.exit(130);
}
// The upload waits until the deployment is served, and proves that it is.
const isServed = await uploadMaps(origin);
const isOpened = !isServed || (await openObjects(origin));
process.exit(isOpened ? result.exitCode : 1);

/** Ends the command before it changes anything, if this release cannot read the stored data. */
async function refuseLaterData(): Promise<void> {
  if (before.is !== "errata" || before.kv === undefined) return;
  const recorded = await readRecordedData(runWrangler, before.kv, target);
  if (recorded !== undefined && recorded.later.length > 0) quit(messages.formatLaterData(recorded));
  if (isStopped()) process.exit(130);
}

/** Migrates the data of all objects, and prints the progress. False if some cannot be used. */
async function openObjects(at: string): Promise<boolean> {
  for (const signal of SIGNALS) {
    process.removeAllListeners(signal);
    process.on(signal, () => {
      console.error(messages.DATA_LATER);
      process.exit(130);
    });
  }
  const { line, isFailed } = await openAllObjects(at, token, {
    maxMs: isUpdate ? OPEN_MAX_MS : PAUSE_MS,
    pauseMs: PAUSE_MS,
    onProgress: (progress) => showProgress(`  ${progress}`),
  });
  showProgress("");
  (isFailed ? console.error : console.log)(`  ${line}`);
  return !isFailed;
}

/** The Worker in the account. Lets the person sign in and choose the account first, if needed. */
async function readWorkerBefore(): Promise<DeployedWorker> {
  const found = await readDeployedWorker(runWrangler, target);
  if (found.is !== "errata") console.log(messages.INTRODUCTION);
  if (found.is !== "unknown" || !request.isInteractive || isStopped()) return found;
  const who = await runWrangler(["whoami", "--json"]);
  if (isStopped()) return found;
  if (who.exitCode === 0) await runWrangler(["deployments", "status", ...target], "questions");
  // A wrong token is not replaced by a sign-in.
  else if (!process.env.CLOUDFLARE_API_TOKEN) await runWrangler(["login"], true);
  return readDeployedWorker(runWrangler, target);
}

function hasServerKey(found: DeployedWorker): boolean {
  if (settings?.vars.includes(SERVER_KEY)) return true;
  if (request.args.some((arg) => arg.replace("--var=", "").startsWith(`${SERVER_KEY}:`)))
    return true;
  return found.is === "errata" && found.bindings.has(SERVER_KEY);
}

/** Deploys, and once more with the KV namespace of a first deployment that failed. */
async function deploy(): Promise<WranglerRun> {
  const variables = [
    // Without a new link, the last one stays valid.
    ...(mayPrintSecrets ? ["--var", `ERRATA_SETUP:${link.setup}`] : []),
    ...["--var", `ERRATA_UPLOAD:${upload}`],
  ];
  const words = ["deploy", ...request.args, ...variables];
  const secrets = isKeyInUpload ? ["--secrets-file", writeSecret(newKey ?? "")] : [];
  const first = await runWrangler([...words, ...secrets], true);
  const isTaken = first.failure?.code === NAMESPACE_EXISTS;
  if (!isTaken || settings === undefined || isStopped()) return first;
  // Another deployment may have created it in the meantime. Then its Worker has the id.
  const now = await readDeployedWorker(runWrangler, target);
  if (now.is === "errata") {
    if (!hasServerKey(now)) return runWrangler([...words, ...secrets], true);
    newKey = undefined;
    return runWrangler(words, true);
  }
  const found = await findLeftNamespace(runWrangler, worker, target);
  if (found.is !== "empty") quit(messages.formatNamespaceProblem(found, worker));
  const config = writeConfigWithNamespace(settings.file, found.id);
  if (config === undefined) quit(messages.formatNamespaceProblem(found, worker));
  console.log(`\n  Deploying again with the KV namespace ${found.title}, which is empty …\n`);
  const others = removeOption(words, "--config", "-c");
  return runWrangler([...others, ...secrets, "--config", config], true);
}

/** wrangler can fail after the upload. The variable tells which deployment is served. */
async function readWorkerAfter(): Promise<"deployed" | "not deployed" | { why: string }> {
  for (let attempts = 3; ; attempts--) {
    const found = await readDeployedWorker(runWrangler, target);
    if (found.is === "errata" && found.bindings.get("ERRATA_UPLOAD") === upload) return "deployed";
    if (found.is !== "unknown") return "not deployed";
    // It could not be read before either: there is no sign-in.
    if (before.is === "unknown" && result.failure !== undefined) return "not deployed";
    if (attempts === 1) return { why: found.why };
    await wait(PAUSE_MS);
  }
}

/** The key of a Worker whose secrets were unknown before the deployment, in a further version. */
async function addServerKey(): Promise<string | undefined> {
  if (newKey === undefined || isStopped()) return undefined;
  const found = await readDeployedWorker(runWrangler, target);
  if (hasServerKey(found)) return undefined;
  const words = ["secret", "bulk", writeSecret(newKey), ...target];
  const { exitCode, failure } =
    found.is === "errata"
      ? await runWrangler(words)
      : { exitCode: 1, failure: { message: "the Worker's secrets could not be read" } };
  if (exitCode === 0) return newKey;
  const why = failure?.message ?? `wrangler ended with ${exitCode}`;
  console.error(`\n  ${SERVER_KEY} was not created: ${why}\n  Create a server key in /settings.\n`);
  return undefined;
}

/** A file in the private folder, which is removed when this process ends. */
function writeSecret(key: string): string {
  const file = join(folder, "secrets.json");
  writeFileSync(file, JSON.stringify({ [SERVER_KEY]: key }), { mode: 0o600 });
  return file;
}

/**
 * The address after wrangler failed: a custom domain that serves this deployment, or workers.dev.
 * wrangler prints the latter only if it sets the triggers again. Without a terminal it would also
 * replace DNS records that the person refused to replace, so routes forbid that.
 */
async function findOriginAfterFailure(): Promise<string | undefined> {
  for (const domain of [...request.domains, ...(settings?.domains ?? [])]) {
    const found = await readDeployment(`https://${domain}`, token).catch(() => undefined);
    if (found !== undefined && "release" in found) return `https://${domain}`;
  }
  if (
    settings === undefined ||
    settings.hasRoutes ||
    request.hasTriggers ||
    isStopped() ||
    isUnknown
  )
    return undefined;
  const { stdout } = await runWrangler(["triggers", "deploy", ...target]);
  return findOrigin(parsePrintedTargets(stdout));
}

async function explainFailure({ failure }: WranglerRun): Promise<void> {
  console.error(messages.NOT_DEPLOYED);
  if (before.is !== "absent" || failure?.code === undefined || isStopped()) return;
  const found = await findLeftNamespace(runWrangler, worker, target);
  if (found.is === "unknown" && found.isRefused) console.error(messages.NO_KV_PERMISSION);
}

/** False if the deployment is not served, or refused the maps. */
async function uploadMaps(origin: string): Promise<boolean> {
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      console.error(messages.formatMapProblem("the command was stopped"));
      process.exit(130);
    });
  }
  console.log("  Uploading Errata's own source maps …");
  const problem = await uploadOwnMaps(origin, token, {
    outdir: request.outdir,
    maxMs: UPLOAD_MAX_MS,
    pauseMs: PAUSE_MS,
    onWait: (why) => showProgress(`  Waiting for the new version (Ctrl-C ends it): ${why}`),
  });
  showProgress("");
  if (problem !== undefined) console.error(messages.formatMapProblem(problem));
  else console.log("  Errata's own errors are shown in their source.");
  return problem === undefined;
}
