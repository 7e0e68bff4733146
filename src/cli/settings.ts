/**
 * Which Errata the commands call: the options, then the environment, then the file that `errata
 * login` writes. The file can have several Erratas by name, and only its owner can read it.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { CommandFailure } from "./failure.ts";

/** An Errata, a project in it, and the token. */
export interface Target {
  /** Without a slash at the end. */
  readonly url: string;
  readonly project: string;
  readonly token: string | undefined;
  /** Returns the token, or the one that replaces it when it has expired. */
  readonly renewToken?: () => Promise<string>;
}

/** How an access token is replaced: the refresh token, and when it must be used. */
export interface Renewal {
  readonly token: string;
  readonly expiresMs: number;
}

/** A target in the file. */
export interface Saved extends Target {
  /** Absent for a token that was created in the settings. */
  readonly renewal?: Renewal;
}

/** True if the token only uploads (`UPLOAD_TOKEN_PREFIX`). */
export function isUploadToken({ token }: Pick<Target, "token">): boolean {
  return token?.startsWith("sntrys_") === true;
}

/** The contents of the file. */
export interface Settings {
  /** The name that commands use without `--at`. */
  readonly default?: string;
  readonly erratas: Readonly<Record<string, Saved>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The path of the file (XDG Base Directory Specification 0.8). */
export function findSettingsFile(env: Environment): string {
  const windows = process.platform === "win32" ? env.APPDATA : undefined;
  const home = env.HOME || homedir();
  return join(env.XDG_CONFIG_HOME || windows || join(home, ".config"), "errata", "config.json");
}

/** The settings; none without a file. Throws for a file that is no JSON of this form. */
export function readSettings(env: Environment): Settings {
  const file = findSettingsFile(env);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    if ((cause as { readonly code?: unknown }).code === "ENOENT") return { erratas: {} };
    // Otherwise login would replace it, and forget the other tokens.
    throw new CommandFailure("failed", `${file} cannot be read.`);
  }
  try {
    return decodeSettings(JSON.parse(text));
  } catch {
    throw new CommandFailure("usage", `${file} is not what errata login writes. Delete it.`);
  }
}

function decodeSettings(json: unknown): Settings {
  const fields = json as { default?: unknown; erratas: Record<string, Record<string, unknown>> };
  const erratas = Object.entries(fields.erratas).map(([name, { url, project, token, renewal }]) => {
    if (typeof url !== "string") throw new TypeError("url");
    const target: Saved = {
      url,
      project: typeof project === "string" ? project : "1",
      token: typeof token === "string" ? token : undefined,
      ...(isRenewal(renewal) && { renewal }),
    };
    return [name, target] as const;
  });
  return {
    ...(typeof fields.default === "string" && { default: fields.default }),
    erratas: Object.fromEntries(erratas),
  };
}

function isRenewal(value: unknown): value is Renewal {
  const { token, expiresMs } = (value ?? {}) as Partial<Renewal>;
  return typeof token === "string" && typeof expiresMs === "number";
}

/** Replaces the file at once, so that a stopped program leaves the old one. */
export function writeSettings(env: Environment, settings: Settings): void {
  const file = findSettingsFile(env);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}`;
  // One that a stopped program left may have other permissions.
  rmSync(temporary, { force: true });
  writeFileSync(temporary, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  renameSync(temporary, file);
}

/** The options of every command that calls Errata. */
export interface TargetOptions {
  readonly at?: string | undefined;
  readonly url?: string | undefined;
  readonly project?: string | undefined;
}

/** A saved Errata. */
export function findSaved({ erratas }: Settings, name: string | undefined): Saved | undefined {
  return name !== undefined && Object.hasOwn(erratas, name) ? erratas[name] : undefined;
}

/**
 * The Errata to call. Throws without one. A saved token goes only to the Errata that it was saved
 * for, and `ERRATA_TOKEN` only to that of `ERRATA_URL`, if there is one. An empty variable is none.
 */
export function findTarget(
  options: TargetOptions,
  env: Environment,
  createRenewal: (name: string) => Target["renewToken"],
): Target {
  const settings = readSettings(env);
  const ofEnvironment = env.ERRATA_URL || undefined;
  const name = options.at ?? ((options.url ?? ofEnvironment) ? undefined : settings.default);
  const saved = findSaved(settings, name);
  if (options.at !== undefined && saved === undefined)
    throw new CommandFailure("usage", `--at: expected a name of errata login.`);
  const url = options.url ?? (options.at === undefined ? ofEnvironment : undefined) ?? saved?.url;
  if (url === undefined) throw new CommandFailure("denied", NO_TARGET);
  const base = parseUrl(url);
  const [knownName, known] = saved
    ? [name ?? "", saved]
    : (Object.entries(settings.erratas).find(([, one]) => one.url === base) ?? ["", undefined]);
  const isOfEnvironment =
    options.at === undefined && (ofEnvironment === undefined || parseUrl(ofEnvironment) === base);
  const project = options.project ?? (env.ERRATA_PROJECT || known?.project) ?? "1";
  const given = (isOfEnvironment && env.ERRATA_TOKEN) || undefined;
  if (given !== undefined || known?.url !== base) return { url: base, project, token: given };
  const renewToken = known.renewal && createRenewal(knownName);
  return { url: base, project, token: known.token, ...(renewToken && { renewToken }) };
}

const NO_TARGET =
  "No Errata is known. Run `errata login <url>`, or set ERRATA_URL and ERRATA_TOKEN.";

/** The origin of a URL. Throws for another scheme, and for http except on this machine. */
export function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new CommandFailure("usage", "Expected a URL, such as https://errata.example.");
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol === "http:" && !isLocal)
    throw new CommandFailure("usage", "Expected https: a token must not be readable on its way.");
  return url.origin;
}
