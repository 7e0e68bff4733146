/**
 * `errata login`: gets a token by the device flow (RFC 8628), or reads one without showing it.
 * Checks it, and saves it.
 */
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { SCOPES } from "../core/accounts/token-scopes.ts";
import { DEVICE_GRANT_TYPE } from "../core/oauth/endpoints.ts";
import { callApi, toProjectPath } from "./api-client.ts";
import type { Shell } from "./command.ts";
import { CommandFailure } from "./failure.ts";
import { type OAuthAnswer, postForm, readTokens } from "./oauth-client.ts";
import { openBrowser } from "./open-browser.ts";
import { createNamedRequest } from "./operation-table.ts";
import {
  findSaved,
  findSettingsFile,
  parseUrl,
  readSettings,
  type Saved,
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
  /** True if the token is on standard input. */
  readonly hasToken: boolean;
  readonly opensBrowser: boolean;
  readonly shell: Pick<Shell, "env" | "stdin" | "nowMs">;
  readonly onWait: (seconds: number) => void;
  /** Prints to standard error. */
  readonly say: (line: string) => void;
}

/** Returns the line that says who is signed in where. */
export async function login(options: LoginOptions): Promise<string> {
  const { env } = options.shell;
  const url = parseUrl(options.url);
  const [, ofUrl = "1"] = /^\/p\/(\d+)(?:\/|$)/.exec(new URL(options.url).pathname) ?? [];
  const { project = ofUrl } = options;
  const target = options.hasToken
    ? { url, project, token: await readToken(url, project, options) }
    : await signInByBrowser(url, project, options);
  const identity = JSON.parse(
    await callApi(target, createNamedRequest("whoami.get"), options.onWait),
  ) as Identity;
  const name = options.name ?? new URL(url).host;
  const { erratas } = readSettings(env);
  writeSettings(env, { default: name, erratas: { ...erratas, [name]: target } });
  const role = identity.role == null ? "" : ` as ${identity.role}`;
  return `Signed in to ${url}, project ${target.project}${role}. Saved as ${name} in ${findSettingsFile(env)}.`;
}

/** An API token from standard input. */
async function readToken(
  url: string,
  project: string,
  { shell: { stdin }, say }: LoginOptions,
): Promise<string> {
  if (stdin.isTTY) {
    say(`Create a token at ${url}${toProjectPath({ project })}/settings#tokens.`);
    say("Token (it is not shown): ");
  }
  const token = (await readLine(stdin)).trim();
  if (!/^[\x21-\x7e]{8,1000}$/.test(token))
    throw new CommandFailure("usage", "Expected a token on standard input.");
  return token;
}

/** Shows a code, waits until a person has allowed it at `/device`, and fetches the tokens. */
async function signInByBrowser(
  url: string,
  project: string,
  { opensBrowser, shell: { nowMs }, say }: LoginOptions,
): Promise<Saved> {
  const started = await postForm(url, "device", { scope: SCOPES.join(" ") });
  const { device_code: deviceCode, user_code: userCode } = started;
  if (started.status === 404) throw new CommandFailure("usage", NO_DEVICE_FLOW);
  if (deviceCode === undefined || !/^[A-Z-]{4,20}$/.test(userCode ?? ""))
    throw new CommandFailure("failed", describe(started));
  const page = `${url}/device`;
  say(`Open ${page} and type the code ${userCode}`);
  say("Waiting until you allow it …");
  if (opensBrowser) openBrowser(`${page}?user_code=${userCode}`);
  const answer = await poll(url, deviceCode, started.interval ?? DEFAULT_INTERVAL_S);
  const chosen = /^\d+$/.test(answer.project ?? "") ? answer.project : undefined;
  return { url, project: chosen ?? project, ...readTokens(answer, nowMs()) };
}

const DEFAULT_INTERVAL_S = 5;
const NO_DEVICE_FLOW =
  "This Errata does not sign programs in. Create a token in its settings, and use --with-token.";

/** Asks until the person has decided (RFC 8628 § 3.5). The server ends it after ten minutes. */
async function poll(url: string, code: string, interval: number): Promise<OAuthAnswer> {
  const fields = { grant_type: DEVICE_GRANT_TYPE, device_code: code };
  for (let seconds = interval; ; ) {
    await sleep(seconds * 1_000);
    const answer = await postForm(url, "token", fields);
    switch (answer.error) {
      case undefined:
        return answer;
      case "authorization_pending":
        break;
      case "slow_down":
        seconds += DEFAULT_INTERVAL_S;
        break;
      case "access_denied":
        throw new CommandFailure("denied", "The login was denied.");
      case "expired_token":
        throw new CommandFailure("denied", "The code has expired. Run the command again.");
      default:
        throw new CommandFailure("failed", describe(answer));
    }
  }
}

function describe({ error_description: detail, status }: OAuthAnswer): string {
  return detail ?? `The server answered ${status}.`;
}

/** Forgets a token, and ends a login by the browser. Returns the line that says so. */
export async function logout(
  name: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const settings = readSettings(env);
  const named = name ?? settings.default;
  const saved = findSaved(settings, named);
  if (named === undefined || saved === undefined)
    throw new CommandFailure("usage", "No such Errata is saved.");
  const { [named]: _, ...erratas } = settings.erratas;
  const [next] = Object.keys(erratas);
  const isDefault = settings.default === named;
  const fallback = isDefault ? next : settings.default;
  writeSettings(env, { ...(fallback !== undefined && { default: fallback }), erratas });
  if (saved.renewal === undefined)
    return `Forgot ${named}. Revoke its token in the settings if others may have it.`;
  const ended = await postForm(saved.url, "revoke", { token: saved.renewal.token }).catch(
    () => null,
  );
  return ended?.status === 200
    ? `Signed out of ${named}.`
    : `Forgot ${named}. Disconnect it on ${saved.url}/profile: the server did not answer.`;
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
