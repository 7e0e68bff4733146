// The stored data and this release: before a deployment, whether the release can read them, and
// after it, the opening of every Durable Object, which migrates its data.

import { setTimeout as wait } from "node:timers/promises";
import { DEPLOYMENT_PATH } from "../../src/core/accounts/upload-token.ts";
import type {
  LaterData,
  NamedVersion,
  OpenedObjects,
  RecordedVersions,
} from "../../src/core/stats/object-version.ts";
import { DATA_VERSIONS_KEY } from "../../src/store/kv/keys.ts";
import { removeOption } from "./arguments.ts";
import { readDeployment } from "./upload-maps.ts";
import { parsePrinted, type RunWrangler } from "./wrangler.ts";

const CALL_TIMEOUT_MS = 60_000;
/** Imported when it is needed, because its types are those of a Worker, which the tools lack. */
const SCHEMAS = new URL("../../src/store/client/schemas.ts", import.meta.url).href;

/** The release that wrote the record, and the object classes whose data this release cannot read. */
export interface RecordedData {
  readonly release: string;
  readonly later: readonly LaterData[];
}

/**
 * Reads the record of the deployed release in KV. Undefined without one: a release from before
 * versions, or one that was deployed without this command. Objects then refuse by themselves.
 */
export async function readRecordedData(
  runWrangler: RunWrangler,
  namespace: string,
  target: readonly string[],
): Promise<RecordedData | undefined> {
  const words = ["kv", "key", "get", DATA_VERSIONS_KEY, "--remote", "--text"];
  const account = removeOption(target, "--name");
  const { stdout } = await runWrangler([...words, "--namespace-id", namespace, ...account]);
  const record = parsePrinted(stdout) as Partial<RecordedVersions> | undefined;
  if (typeof record?.oldest !== "object" || record.oldest === null) return undefined;
  const { release = "an unknown release", oldest } = record;
  const { findLaterData } = (await import(SCHEMAS)) as {
    findLaterData: (recorded: RecordedVersions) => readonly LaterData[];
  };
  return { release, later: findLaterData({ v: 1, release, oldest }) };
}

interface OpenOptions {
  readonly maxMs: number;
  readonly pauseMs: number;
  /** Called with one line, again and again. */
  readonly onProgress: (line: string) => void;
}

/**
 * Opens all objects of the deployment at `origin`, until their data is of this release and every
 * new column is filled, or the time is over. Resolves to the last line of the progress, and
 * whether an object cannot use its data. Never rejects.
 */
export async function openAllObjects(
  origin: string,
  token: string,
  { maxMs, pauseMs, onProgress }: OpenOptions,
): Promise<{ readonly line: string; readonly isFailed: boolean }> {
  const endMs = performance.now() + maxMs;
  for (;;) {
    const objects = await readAll(origin, token).catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    );
    const { line, isDone, isFailed } =
      typeof objects === "string"
        ? {
            line: `The stored data could not be opened: ${objects}`,
            isDone: false,
            isFailed: false,
          }
        : summarize(objects);
    onProgress(line);
    if (isDone || isFailed || performance.now() + pauseMs > endMs) return { line, isFailed };
    await wait(pauseMs);
  }
}

async function readAll(origin: string, token: string): Promise<readonly NamedVersion[]> {
  // Only the deployment that knows the token's hash receives the token.
  const found = await readDeployment(origin, token);
  if ("problem" in found) throw new Error(found.problem);
  const objects: NamedVersion[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const response = await fetch(`${origin}${DEPLOYMENT_PATH}?after=${after}`, {
      headers: { authorization: `Bearer ${token}` },
      redirect: "manual",
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const opened = (await response.json()) as OpenedObjects;
    objects.push(...opened.objects);
    after = opened.next;
  }
  return objects;
}

/** One line about all objects. */
export function summarize(objects: readonly NamedVersion[]): {
  readonly line: string;
  readonly isDone: boolean;
  readonly isFailed: boolean;
} {
  const broken = objects.find(({ version }) => version !== null && version.state.kind !== "ready");
  if (broken !== undefined) return { line: describeBroken(broken), isDone: false, isFailed: true };
  const filling = objects.filter(({ version }) => (version?.backfills.length ?? 0) > 0);
  const ready = objects.filter(({ version }) => version !== null).length - filling.length;
  const count = objects.length === 1 ? "1 object" : `${objects.length} objects`;
  if (ready === objects.length)
    return {
      line: `The stored data of ${count} are of this release.`,
      isDone: true,
      isFailed: false,
    };
  const rows = filling
    .flatMap(({ version }) => version?.backfills ?? [])
    .reduce((sum, { visited }) => sum + visited, 0);
  const filled = filling.length === 0 ? "" : `, ${rows} rows filled`;
  const line = `Upgrading the stored data: ${ready} of ${count}${filled}.`;
  return { line, isDone: false, isFailed: false };
}

function describeBroken({ object, name, version }: NamedVersion): string {
  const what = `The stored data of ${object} ${name}`;
  const state = version?.state;
  switch (state?.kind) {
    case "newer":
      return `${what} need a later release (version ${state.needs}). Reports are kept until you deploy it.`;
    case "too-old":
      return `${what} are too old: deploy a release of version ${state.needs} first.`;
    case "failed":
      return `${what} could not be migrated (${state.problem}). Errata tries again each minute.`;
    default:
      return `${what} cannot be used.`;
  }
}
