// `npm run deploy`: deploys Errata, creates its server key if it has none, uploads the source maps
// of the build to it, and prints the one-time sign-in link. Passes arguments after `--` to
// wrangler.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { workerFile } from "./build/built.ts";
import { run, toolEnv } from "./command/run-package.ts";
import { createMissingServerKey } from "./deploy/server-key-secret.ts";
import { makeLink } from "./deploy/sign-in-link.ts";
import { makeUploadToken, uploadOwnMaps } from "./deploy/upload-maps.ts";

const folder = mkdtempSync(join(tmpdir(), "errata-deploy-"));
const output = join(folder, "wrangler.ndjson");
const link = makeLink(Date.now());
const givenArgs = process.argv.slice(2);
const { token, upload } = makeUploadToken(Date.now());
const args = [
  "deploy",
  ...["--var", `ERRATA_SETUP:${link.setup}`, "--var", `ERRATA_UPLOAD:${upload}`],
  // The maps belong to the deployed Worker.
  ...["--outdir", dirname(workerFile)],
  ...givenArgs,
];
const env = { ...toolEnv, WRANGLER_OUTPUT_FILE_PATH: output };
const { code } = await run("wrangler", args, { terminal: true, env });
const origin = code === 0 ? readOrigin() : undefined;
// A dry run has no origin.
const serverKey =
  origin === undefined
    ? "exists"
    : await createMissingServerKey((words) => run("wrangler", words), folder, givenArgs);
const mapProblem = origin === undefined ? undefined : await uploadOwnMaps(origin, token);
rmSync(folder, { recursive: true, force: true });
if (code === 0) console.log(formatWelcome());
process.exit(code);

function formatWelcome() {
  const where = link.at(origin ?? "https://<address of Errata>");
  const maps =
    mapProblem === undefined
      ? ""
      : `\n  The source maps were not uploaded, so Errata's own errors have minified stacks: ${mapProblem}\n`;
  const signIn = `${maps}\n  Sign in (the link works once and expires after a day; every deployment creates a new one)\n    ${where}\n`;
  if (serverKey === "exists" || origin === undefined) return signIn;
  if (serverKey === "failed") {
    return `${signIn}\n  ERRATA_SERVER_KEY could not be created. Create a server key in ${origin}/settings\n`;
  }
  const dsn = `https://${serverKey.key}@${new URL(origin).host}/1`;
  return `${signIn}\n  DSN for SDKs on servers (secret, shown only once: keep it out of pages)\n    ${dsn}\n`;
}

/** The first address in wrangler's deploy output; undefined for a dry run. */
function readOrigin() {
  try {
    const lines = readFileSync(output, "utf8").trim().split("\n");
    const deploy = lines.map((line) => JSON.parse(line)).find(({ type }) => type === "deploy");
    const [target] = deploy?.targets ?? [];
    return typeof target === "string"
      ? new URL(/^https?:/.test(target) ? target : `https://${target}`).origin
      : undefined;
  } catch {
    return undefined;
  }
}
