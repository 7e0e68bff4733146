/**
 * Replaces an access token that has expired. A refresh token works once, and its second use ends
 * the login, so of several programs at the same time one does it, and the others read its result.
 */
import { closeSync, openSync, rmSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandFailure } from "./failure.ts";
import { postForm, readTokens } from "./oauth-client.ts";
import {
  findSaved,
  findSettingsFile,
  readSettings,
  type Saved,
  type Target,
  writeSettings,
} from "./settings.ts";

/** A token is replaced before it expires: a request takes its time. */
const MARGIN_MS = 60_000;
/** A lock that a stopped program has left. */
const STALE_LOCK_MS = 90_000;
const POLL_MS = 100;

interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly nowMs: () => number;
}

/** The function that returns a valid token of the Errata that was saved as `name`. */
export function createRenewal(
  name: string,
  { env, nowMs }: Surroundings,
): NonNullable<Target["renewToken"]> {
  let renewing: Promise<string> | undefined;
  const read = () => findSaved(readSettings(env), name);
  const isValid = (saved: Saved | undefined) =>
    saved?.renewal === undefined || saved.renewal.expiresMs - MARGIN_MS > nowMs();
  return async () => {
    const saved = read();
    if (isValid(saved)) return saved?.token ?? "";
    // The bridge of MCP has several requests at the same time.
    renewing ??= withLock(`${findSettingsFile(env)}.lock`, nowMs, async () => {
      const current = read();
      if (current?.renewal === undefined || isValid(current)) return current?.token ?? "";
      const next = await renew(current, nowMs());
      const settings = readSettings(env);
      writeSettings(env, { ...settings, erratas: { ...settings.erratas, [name]: next } });
      return next.token ?? "";
    }).finally(() => {
      renewing = undefined;
    });
    return renewing;
  };
}

async function renew(saved: Saved, nowMs: number): Promise<Saved> {
  const { url, renewal } = saved;
  const fields = { grant_type: "refresh_token", refresh_token: renewal?.token ?? "" };
  const answer = await postForm(url, "token", fields);
  if (answer.error === "invalid_grant")
    throw new CommandFailure(
      "denied",
      `The login to ${url} has ended. Run \`errata login ${url}\`.`,
    );
  return { ...saved, ...readTokens(answer, nowMs) };
}

/** Runs `work` while no other program does. */
async function withLock<T>(file: string, nowMs: () => number, work: () => Promise<T>): Promise<T> {
  while (!tryLock(file)) {
    if (isStale(file, nowMs())) rmSync(file, { force: true });
    else await sleep(POLL_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function tryLock(file: string): boolean {
  try {
    closeSync(openSync(file, "wx", 0o600));
    return true;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === "EEXIST") return false;
    throw error;
  }
}

function isStale(file: string, nowMs: number): boolean {
  const mtimeMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return mtimeMs !== undefined && Math.abs(nowMs - mtimeMs) > STALE_LOCK_MS;
}
