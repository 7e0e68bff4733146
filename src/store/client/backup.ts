/**
 * Backs up all projects to an R2 bucket: for each UTC day that has ended an object with the export
 * of that day. Each run of the cron job writes one part of one export, which is the whole export
 * unless the day is large. An object is a part that can be imported by itself, so that no upload is
 * ever incomplete.
 *
 *     errata/1/2026-11-20.ndjson      the first part of a day
 *     errata/1/2026-11-20.ndjson.002  the second part
 *     errata/state                    which days are written, and where the next run continues
 *     errata/lock                     when the last run began
 *
 * A run that fails or is killed leaves the cursor as it was, and the next one writes the part again.
 */
import * as v from "valibot";
import type { Project } from "../../core/accounts/registry.ts";
import type { ExportLimits, ExportOptions } from "../../core/ports/storage-ports.ts";
import { defineStored } from "../../core/schema/stored.ts";
import { type StoredValue, storedObject } from "../../core/schema/stored-object.ts";
import type { ProjectBackup } from "../../core/stats/store-health.ts";
import { DAY_MS, MINUTE_MS, toUtcDay } from "../../core/utc-time.ts";

/**
 * The limits of a part. On the free plan, a run of the cron job has 10 ms of CPU, which is about
 * 8 MB, and may make 50 calls. A part has the chunks of one call more than `bytes`.
 */
const PART_LIMITS: ExportLimits = { calls: 24, chunksPerCall: 4, bytes: 4_000_000 };
/** A run takes seconds, and the next one begins five minutes later. */
const LOCK_MS = 4 * MINUTE_MS;
/** The clock of a log may be behind. */
const SETTLE_MS = 5 * MINUTE_MS;

const STATE_KEY = "errata/state";
/** Not a member of the state: R2 may refuse two writes of one object in a second. */
const LOCK_KEY = "errata/lock";

const stateSchema = storedObject({
  v: v.literal(1),
  /** By the id of the project. */
  projects: v.record(
    v.string(),
    storedObject({
      /** All days before this one are written. */
      nextDay: v.optional(v.string()),
      /** Set while that day is partly written: the number of parts, and where it continues. */
      parts: v.optional(v.number()),
      cursor: v.optional(v.string()),
      /** Set if the last run of the project failed. */
      failedMs: v.optional(v.number()),
      problem: v.optional(v.string()),
    }),
  ),
});

/** What is backed up. */
export type BackupState = StoredValue<typeof stateSchema>;
type BackupEntry = BackupState["projects"][string];

const STATE = /* @__PURE__ */ defineStored<BackupState>({
  name: "the state of the backup",
  version: 1,
  schema: stateSchema,
});

/** Which days exist. */
interface BackupRange {
  /** Those that are not deleted. */
  readonly projects: readonly Pick<Project, "id" | "createdMs">[];
  readonly nowMs: number;
  readonly retentionDays: number;
}

interface BackupOptions extends BackupRange {
  readonly readExport: (
    project: string,
    options: ExportOptions,
  ) => Promise<AsyncIterable<Uint8Array>>;
  readonly logProblem: (cause: unknown) => void;
}

/**
 * The part to write next: of the oldest day that is missing and within the retention. Projects
 * whose last run failed come last. Undefined if no day is missing.
 */
export function findNextPart(
  { projects: entries }: BackupState,
  { projects, nowMs, retentionDays }: BackupRange,
) {
  const lastDay = toUtcDay(nowMs - DAY_MS - SETTLE_MS);
  const oldest = toUtcDay(nowMs - retentionDays * DAY_MS);
  return projects
    .map(({ id, createdMs }) => {
      const entry = entries[id] ?? {};
      const { nextDay = toUtcDay(createdMs), cursor } = entry;
      const day = cursor === undefined && nextDay < oldest ? oldest : nextDay;
      return { project: id, day, entry };
    })
    .filter(({ day }) => day <= lastDay)
    .sort(
      (a, b) => (a.entry.failedMs ?? 0) - (b.entry.failedMs ?? 0) || a.day.localeCompare(b.day),
    )[0];
}

/**
 * Continues the backup, unless another run does. A part that cannot be written is logged, and the
 * state says so. Rejects if the state cannot be read or written.
 */
export async function continueBackup(bucket: R2Bucket, options: BackupOptions): Promise<void> {
  const { nowMs, readExport, logProblem } = options;
  const { state, stored } = await readState(bucket);
  const next = findNextPart(state, options);
  if (next === undefined || !(await takeLock(bucket, nowMs))) return;
  const { project, day, entry } = next;
  const { parts = 0, cursor } = entry;
  let after: BackupEntry;
  try {
    const pieces: Uint8Array[] = [];
    for await (const piece of await readExport(project, { day, cursor, limits: PART_LIMITS }))
      pieces.push(piece);
    const suffix = cursor && `.${String(parts + 1).padStart(3, "0")}`;
    await bucket.put(`errata/${project}/${day}.ndjson${suffix ?? ""}`, new Blob(pieces));
    const end = JSON.parse(new TextDecoder().decode(pieces.at(-1)));
    after =
      end.next === undefined
        ? { nextDay: toUtcDay(Date.parse(day) + DAY_MS) }
        : { nextDay: day, parts: parts + 1, cursor: end.next };
  } catch (cause) {
    logProblem(cause);
    after = { ...entry, failedMs: nowMs, problem: String(cause) };
  }
  const text = STATE.encode({ v: 1, projects: { ...state.projects, [project]: after } });
  await bucket.put(STATE_KEY, text, { onlyIf: isUnchanged(stored) });
}

/** The backup of a project. Never rejects: if R2 is unavailable, it says so. */
export function readBackup(bucket: R2Bucket, project: string): Promise<ProjectBackup> {
  return readState(bucket).then(
    ({ state }) => state.projects[project] ?? {},
    (cause) => ({ problem: String(cause) }),
  );
}

async function readState(bucket: R2Bucket) {
  const stored = await bucket.get(STATE_KEY);
  const state = STATE.parse((await stored?.json()) ?? { v: 1, projects: {} });
  return { state, stored };
}

/** False if another run began a short time ago. */
async function takeLock(bucket: R2Bucket, nowMs: number): Promise<boolean> {
  const lock = await bucket.get(LOCK_KEY);
  // Without a lock, the time since then is NaN.
  if (nowMs - Number(await lock?.text()) < LOCK_MS) return false;
  const put = await bucket.put(LOCK_KEY, String(nowMs), { onlyIf: isUnchanged(lock) });
  return put !== null;
}

/** The condition of a write: nobody else has written the object that was read. */
function isUnchanged(object: R2Object | null): R2Conditional {
  return object === null ? { etagDoesNotMatch: "*" } : { etagMatches: object.etag };
}
