// Runs a build of Errata on plain workerd over a folder of stored data, at a time of one's choice.
// The same folder can be opened by one build after another, and workerd can be killed at any time.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readNowMs } from "#support/clock/clock.ts";
import { createClockEnv } from "../../../.tools/clock/shifted-clock.ts";
import { root } from "../../../.tools/install.mjs";
import { readBindings } from "../../../.tools/workerd/bindings.ts";
import type { Neighbor } from "../../../.tools/workerd/config.ts";
import { layOut } from "../../../.tools/workerd/lay-out.ts";
import { startWorkerd } from "../../../.tools/workerd/process.ts";

const HOST = "127.0.0.1";
/** The time that pending requests get when the store stops. */
const STOP_MS = 5_000;

/** Stored data in a folder, which builds open one after another. */
export interface Store {
  /** The folder of Durable Objects, KV and mails. */
  readonly folder: string;
  /** The variables of the Worker. */
  readonly vars: Readonly<Record<string, string>>;
  /** By how many seconds its clock is ahead of that of this process. Builds see time pass. */
  readonly aheadSeconds: number;
}

interface StartOptions {
  /**
   * The folder of a build: `dist` of this checkout, by default, or a copy of that of another one.
   * Only `worker/worker.js` is needed. Without `client`, there is no cron. Without `bindings.json`,
   * the bindings are those of this checkout.
   */
  readonly build?: string;
  /** Further variables of the Worker. */
  readonly vars?: Readonly<Record<string, string>>;
  /** Classes of Durable Objects whose objects fail. They need `client`. */
  readonly broken?: readonly string[];
  /** Further Workers beside it, each on a port of its own. */
  readonly neighbors?: readonly Neighbor[];
}

export type StartedStore = Awaited<ReturnType<typeof startStore>>;

/** The `aheadSeconds` of a store whose clock shows this time now, or up to a second later. */
export function toAheadSeconds(atMs: number): number {
  return Math.ceil((atMs - readNowMs()) / 1000);
}

/** Why no clock can be shifted on this machine, or null. */
export function findClockProblem(): string | null {
  try {
    clockEnv ??= createClockEnv(0);
    return null;
  } catch (error) {
    return String(error);
  }
}

let clockEnv: Record<string, string> | undefined;

function shiftClock(aheadSeconds: number): Record<string, string> {
  if (aheadSeconds === 0) return {};
  clockEnv ??= createClockEnv(0);
  const all = Number(clockEnv.ERRATA_CLOCK_AHEAD_S) + aheadSeconds;
  return { ...clockEnv, ERRATA_CLOCK_AHEAD_S: String(all) };
}

/**
 * Starts a build on a store. Rate limits let every request through. `stop` lets requests end;
 * `kill` is SIGKILL; both resolve when the folder is free for the next start.
 */
export async function startStore(store: Store, options: StartOptions = {}) {
  const { build = join(root, "dist"), vars = {}, broken = [], neighbors = [] } = options;
  const ownBindings = join(build, "bindings.json");
  const isOther = build !== join(root, "dist") && existsSync(ownBindings);
  const bindings = isOther ? JSON.parse(readFileSync(ownBindings, "utf8")) : await readBindings();
  const client = join(build, "client");
  const temporary = mkdtempSync(join(tmpdir(), "errata-upgrade-"));
  const remove = () => rmSync(temporary, { recursive: true, force: true });
  process.on("exit", remove);
  const setup = {
    ...{ bindings, neighbors, limits: "none" as const },
    vars: { ...store.vars, ...vars },
    address: `${HOST}:0`,
    objects: join(store.folder, "objects"),
    kv: { folder: join(store.folder, "kv") },
    mail: join(store.folder, "mail"),
    files: existsSync(client) ? client : undefined,
    v8Flags: ["--max-semi-space-size=4"],
  };
  mkdirSync(store.folder, { recursive: true });
  layOut(temporary, join(build, "worker", "worker.js"), setup, broken);
  const lines: string[] = [];
  const waiting = new Map<string, () => void>();
  const onLine = (line: string) => {
    lines.push(line);
    for (const [text, resolve] of waiting) if (line.includes(text)) resolve();
  };
  const workerd = await startWorkerd(
    temporary,
    1 + neighbors.length,
    ({ level, message }) => onLine(`${level}: ${message}`),
    shiftClock(store.aheadSeconds),
  );
  const end = async (ended: Promise<unknown>) => {
    await ended;
    process.off("exit", remove);
    remove();
  };
  return {
    url: `http://${HOST}:${workerd.ports.get("http")}`,
    ports: workerd.ports,
    pid: workerd.pid,
    /** What the Worker and workerd have printed. */
    lines,
    /** Resolves when a line with this text is printed. */
    waitForLine: (text: string) =>
      new Promise<void>((resolve) => {
        if (lines.some((line) => line.includes(text))) resolve();
        else waiting.set(text, resolve);
      }),
    /** The time that the Worker sees. */
    nowMs: () => readNowMs() + store.aheadSeconds * 1000,
    stop: () => end(workerd.stop(STOP_MS)),
    kill() {
      workerd.kill();
      return end(workerd.ended);
    },
  };
}
