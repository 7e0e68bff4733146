// The command line of `npm run deploy`: an option of its own, and the options of `wrangler deploy`.

import { dirname, resolve } from "node:path";
import { workerFile } from "../build/built.ts";
import { root } from "../install.mjs";

/** The options that select the Worker and the account, for each command of wrangler. */
const TARGET_OPTIONS = [
  ...["--name", "--env", "-e", "--config", "-c"],
  ...["--profile", "--env-file", "--cwd"],
];
/** With one of these, wrangler deploys nothing. */
const IDLE_OPTIONS = ["--dry-run", "--help", "-h", "--version", "-v"];
const PRINT_LINK = "--print-link";
const SECRETS_OPTIONS = ["--secrets-file", "--secretsFile", "--outfile"];
const DOMAIN_OPTIONS = ["--domain", "--domains"];
const TRIGGER_OPTIONS = [
  ...[...DOMAIN_OPTIONS, "--route", "--routes"],
  ...["--triggers", "--schedule", "--schedules"],
];

/** The decoded command line. */
export interface DeployRequest {
  /** The options for `wrangler deploy`. */
  readonly args: readonly string[];
  /** Those of them that every command of wrangler needs. */
  readonly target: readonly string[];
  /** The name in `--name`. */
  readonly name?: string | undefined;
  /** The file in `--config`. */
  readonly config?: string | undefined;
  /** The environment in `--env`. */
  readonly env?: string | undefined;
  /** The folder in `--cwd`, by default the project's. */
  readonly cwd: string;
  /** The folder of the bundled Worker. */
  readonly outdir: string;
  /** False for a dry run. */
  readonly isDeployment: boolean;
  /** A person answers questions. */
  readonly isInteractive: boolean;
  /** Sign-in links and keys may be in the output, because only the team reads it. */
  readonly mayPrintSecrets: boolean;
  /** A secret may be part of the upload: no file of secrets is given, and no copy is written. */
  readonly maySendSecret: boolean;
  /** The custom domains in `--domain`. */
  readonly domains: readonly string[];
  /** Triggers are on the command line, which other commands of wrangler do not get. */
  readonly hasTriggers: boolean;
  /** wrangler itself verifies that the Worker is the one of this repository. */
  readonly isVerifiedByWrangler: boolean;
}

/**
 * Decodes the arguments after `--`. Logs of a CI are often public, so nothing secret is printed
 * there without `--print-link`. `WORKERS_CI` is Cloudflare's own CI, whose logs only members of the
 * account can read, and who could deploy as well.
 */
export function parseDeployArguments(
  given: readonly string[],
  env: NodeJS.ProcessEnv,
  isTerminal: boolean,
): DeployRequest {
  // The name of the Worker in Cloudflare's CI.
  const { WRANGLER_CI_OVERRIDE_NAME: ciName } = env;
  const own = given.filter((arg) => arg !== PRINT_LINK);
  const args = ciName ? [...removeOption(own, "--name"), "--name", ciName] : own;
  const isInteractive = isTerminal && !env.CI;
  const outdir = readOption(args, "--outdir");
  return {
    // The maps belong to the deployed Worker.
    args: outdir === undefined ? ["--outdir", dirname(workerFile), ...args] : args,
    target: args.flatMap((arg, n) => {
      if (TARGET_OPTIONS.some((option) => arg.startsWith(`${option}=`))) return [arg];
      return TARGET_OPTIONS.includes(arg) ? args.slice(n, n + 2) : [];
    }),
    name: readOption(args, "--name"),
    config: readOption(args, "--config", "-c"),
    env: readOption(args, "--env", "-e"),
    cwd: resolve(root, readOption(args, "--cwd") ?? "."),
    outdir: outdir ?? dirname(workerFile),
    isDeployment: !args.some((arg) => IDLE_OPTIONS.includes(arg)),
    isInteractive,
    mayPrintSecrets: isInteractive || given.includes(PRINT_LINK) || env.WORKERS_CI === "1",
    maySendSecret: !hasOption(args, SECRETS_OPTIONS),
    domains: args.flatMap((arg, n) => (DOMAIN_OPTIONS.includes(args[n - 1] ?? "") ? arg : [])),
    hasTriggers: hasOption(args, TRIGGER_OPTIONS),
    isVerifiedByWrangler: Boolean(env.WRANGLER_CI_MATCH_TAG),
  };
}

function hasOption(args: readonly string[], names: readonly string[]): boolean {
  return readOption(args, ...names) !== undefined;
}

/** The arguments without this option and its value. */
export function removeOption(args: readonly string[], ...names: string[]): string[] {
  return args.filter(
    (arg, n) =>
      !names.includes(arg) &&
      !names.includes(args[n - 1] ?? "") &&
      !names.some((name) => arg.startsWith(`${name}=`)),
  );
}

/** The value of an option, `--name x` or `--name=x`; undefined without it. */
function readOption(args: readonly string[], ...names: string[]): string | undefined {
  for (const [n, arg] of args.entries()) {
    if (names.includes(arg)) return args[n + 1];
    const name = names.find((one) => arg.startsWith(`${one}=`));
    if (name !== undefined) return arg.slice(name.length + 1);
  }
  return undefined;
}
