// `npm run deploy`: deploys Errata and prints the one-time sign-in link. Passes arguments after
// `--` to wrangler.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeLink } from "./link.ts";
import { run, toolEnv } from "./package-command.ts";

const folder = mkdtempSync(join(tmpdir(), "errata-deploy-"));
const output = join(folder, "wrangler.ndjson");
const link = makeLink(Date.now());
const args = ["deploy", "--var", `ERRATA_SETUP:${link.setup}`, ...process.argv.slice(2)];
const env = { ...toolEnv, WRANGLER_OUTPUT_FILE_PATH: output };
const { code } = await run("wrangler", args, { terminal: true, env });
const origin = code === 0 ? deployedTo() : undefined;
rmSync(folder, { recursive: true, force: true });
if (code === 0) console.log(welcome());
process.exit(code);

function welcome() {
  const where = link.at(origin ?? "https://<address of Errata>");
  return `\n  Sign in (valid once, for a day; every deployment creates a new link)\n    ${where}\n`;
}

/** The first address in wrangler's deploy output; undefined for a dry run. */
function deployedTo() {
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
