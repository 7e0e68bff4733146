/** `errata login`: reads a token without showing it, checks it, and saves it. */
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { callApi, toProjectPath } from "./api-client.ts";
import { CommandFailure } from "./failure.ts";
import { createNamedRequest } from "./operation-table.ts";
import {
  findSaved,
  findSettingsFile,
  parseUrl,
  readSettings,
  type Target,
  writeSettings,
} from "./settings.ts";

/** What `whoami` says, as far as it is printed. */
interface Identity {
  readonly name?: string;
  readonly role?: string | null;
}

interface LoginOptions {
  readonly url: string;
  /** By default that of the URL: 2 in `https://errata.example/p/2/`. */
  readonly project: string | undefined;
  /** The name for `--at`. */
  readonly name: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: NodeJS.ReadStream;
  readonly onWait: (seconds: number) => void;
  /** Prints to standard error. */
  readonly say: (line: string) => void;
}

/** Returns the line that says who is signed in where. */
export async function login(options: LoginOptions): Promise<string> {
  const { env, input, say } = options;
  const url = parseUrl(options.url);
  const [, ofUrl = "1"] = /^\/p\/(\d+)(?:\/|$)/.exec(new URL(options.url).pathname) ?? [];
  const { project = ofUrl } = options;
  if (input.isTTY) {
    say(`Create a token at ${url}${toProjectPath({ project })}/settings#tokens.`);
    say("Token (it is not shown): ");
  }
  const token = (await readLine(input)).trim();
  if (!/^[\x21-\x7e]{8,1000}$/.test(token))
    throw new CommandFailure("usage", "Expected a token on standard input.");
  const target: Target = { url, project, token };
  const identity = JSON.parse(
    await callApi(target, createNamedRequest("whoami.get"), options.onWait),
  ) as Identity;
  const name = options.name ?? new URL(url).host;
  const { erratas } = readSettings(env);
  writeSettings(env, { default: name, erratas: { ...erratas, [name]: target } });
  const role = identity.role == null ? "" : ` as ${identity.role}`;
  return `Signed in to ${url}, project ${project}${role}. Saved as ${name} in ${findSettingsFile(env)}.`;
}

/** Forgets a token. Returns the line that says so. */
export function logout(
  name: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const settings = readSettings(env);
  const named = name ?? settings.default;
  if (named === undefined || findSaved(settings, named) === undefined)
    throw new CommandFailure("usage", "No such Errata is saved.");
  const { [named]: _, ...erratas } = settings.erratas;
  const [next] = Object.keys(erratas);
  const isDefault = settings.default === named;
  const fallback = isDefault ? next : settings.default;
  writeSettings(env, { ...(fallback !== undefined && { default: fallback }), erratas });
  return `Forgot ${named}. Revoke its token in the settings if others may have it.`;
}

/** The first line of the input. A terminal shows nothing of it. */
async function readLine(input: NodeJS.ReadStream): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: silent, terminal: input.isTTY });
  return new Promise((resolve, reject) => {
    let isRead = false;
    lines.on("line", (line) => {
      isRead = true;
      resolve(line);
      lines.close();
    });
    lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
    lines.on("close", () => {
      if (!isRead) reject(new CommandFailure("usage", "Expected a token on standard input."));
    });
  });
}
