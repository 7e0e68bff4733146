/** SQLite table of the data that release commands have sent for each release. Synchronous. */
import { Buffer } from "node:buffer";
import type { ReleaseDeploys } from "../../../core/artifacts/deploy-moments.ts";
import { releaseLimits } from "../../../core/artifacts/release-limits.ts";
import type {
  Deploy,
  ReleaseChange,
  ReleaseCommit,
  ReleaseFacts,
} from "../../../core/ports/source-maps-port.ts";
import { upsert } from "../../sqlite/table.ts";

const SAVE = upsert("release", ["version"], ["created_ms", "body"]);

type Row = { body: string };

export class ReleaseFactsTable {
  readonly #sql: SqlStorage;
  /** Pages of issues need the deploys, and parsing all facts takes long: they are kept. */
  #deploys: readonly ReleaseDeploys[] | undefined;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** Applies a change and returns the facts. The oldest releases above the limit are deleted. */
  change(change: ReleaseChange, nowMs: number): ReleaseFacts {
    const { version } = change;
    const before = this.get(version);
    const facts: ReleaseFacts = {
      version,
      createdMs: before?.createdMs ?? nowMs,
      deploys: addDeploy(before?.deploys ?? [], change.deploy),
      commits: addCommits(before?.commits ?? [], change.commits),
      releasedMs: change.releasedMs ?? before?.releasedMs,
    };
    this.put(facts);
    this.#removeFiles();
    this.#sql.exec(
      `DELETE FROM release WHERE version IN (
         SELECT version FROM (
           SELECT version, row_number() OVER newest AS n, sum(octet_length(body)) OVER newest AS bytes
           FROM release WINDOW newest AS (ORDER BY created_ms DESC, version DESC))
         WHERE n > ? OR bytes > ?)`,
      releaseLimits.maxReleaseFacts,
      releaseLimits.maxReleaseFactsBytes,
    );
    this.forgetDeploys();
    return facts;
  }

  /** Removes the changed files of all but the newest releases. */
  #removeFiles(): void {
    const old = this.#sql
      .exec<Row>(
        `SELECT body FROM (SELECT body FROM release ORDER BY created_ms DESC, version DESC
           LIMIT -1 OFFSET ?) WHERE instr(body, '"files":') > 0`,
        releaseLimits.maxReleasesWithFiles,
      )
      .toArray();
    for (const { body } of old) this.put(withoutFiles(JSON.parse(body) as ReleaseFacts));
  }

  /** Those of the ids of commits that no release has. */
  listNewCommits(ids: readonly string[]): readonly string[] {
    const known = this.#sql
      .exec<{ id: string }>(
        `SELECT DISTINCT one.value ->> '$.id' AS id
         FROM release, json_each(release.body, '$.commits') AS one
         WHERE one.value ->> '$.id' IN (SELECT value FROM json_each(?))`,
        JSON.stringify(ids),
      )
      .toArray()
      .map(({ id }) => id);
    return ids.filter((id) => !known.includes(id));
  }

  /** Notes a change for an earlier release, which then writes the copy in KV. */
  noteChange(): void {
    this.#sql.exec(`INSERT INTO release_change(id, version, due_ms) VALUES (1, 1, 0)
      ON CONFLICT(id) DO UPDATE SET due_ms = 0 WHERE due_ms IS NULL`);
  }

  put(facts: ReleaseFacts): void {
    this.#sql.exec(SAVE, facts.version, facts.createdMs, JSON.stringify(facts));
    this.forgetDeploys();
  }

  get(version: string): ReleaseFacts | undefined {
    const [row] = this.#sql.exec<Row>("SELECT body FROM release WHERE version = ?", version);
    return row && (JSON.parse(row.body) as ReleaseFacts);
  }

  /** The facts of all releases, newest first, with the changed files that they keep. */
  list(): readonly ReleaseFacts[] {
    return this.#sql
      .exec<Row>("SELECT body FROM release ORDER BY created_ms DESC, version DESC")
      .toArray()
      .map(({ body }) => JSON.parse(body) as ReleaseFacts);
  }

  /** The deploys of all releases, newest release first. */
  listDeploys(): readonly ReleaseDeploys[] {
    this.#deploys ??= this.list().map(({ version, releasedMs, deploys }) => ({
      ...{ version, releasedMs, deploys },
    }));
    return this.#deploys;
  }

  /** Called where the table is changed without its methods. */
  forgetDeploys(): void {
    this.#deploys = undefined;
  }

  delete(version: string): void {
    this.#sql.exec("DELETE FROM release WHERE version = ?", version);
    this.forgetDeploys();
  }

  isEmpty(): boolean {
    return this.#sql.exec("SELECT 1 FROM release LIMIT 1").toArray().length === 0;
  }
}

/** A deploy with the same environment and name is replaced. */
function addDeploy(deploys: readonly Deploy[], added: Deploy | undefined): readonly Deploy[] {
  if (added === undefined) return deploys;
  const isRepeat = ({ environment, name, startedMs, finishedMs }: Deploy) =>
    environment === added.environment &&
    name === added.name &&
    startedMs === added.startedMs &&
    finishedMs === added.finishedMs;
  const others = deploys.filter((deploy) => !isRepeat(deploy));
  return [...others, added].slice(-releaseLimits.maxDeploysPerRelease);
}

/** In the order of arrival. A commit with the same id is replaced. */
function addCommits(
  commits: readonly ReleaseCommit[],
  added: readonly ReleaseCommit[] = [],
): readonly ReleaseCommit[] {
  const { maxCommitMessageChars } = releaseLimits;
  const ids = new Set(added.map(({ id }) => id));
  const cut = added.map((commit) => ({
    ...commit,
    message: commit.message?.slice(0, maxCommitMessageChars),
  }));
  return limitCommits([...commits.filter(({ id }) => !ids.has(id)), ...cut]);
}

/**
 * The newest commits, and their files, within the limits: by their times if all have one, because
 * git lists the newest first; else by arrival.
 */
function limitCommits(commits: readonly ReleaseCommit[]): readonly ReleaseCommit[] {
  const isTimed = commits.every(({ atMs }) => atMs !== undefined);
  const newest = isTimed
    ? commits.toSorted((a, b) => (b.atMs ?? 0) - (a.atMs ?? 0))
    : commits.toReversed();
  const { maxCommitsPerRelease, maxCommitBytesPerRelease } = releaseLimits;
  const { maxFilesPerRelease, maxFileBytesPerRelease } = releaseLimits;
  const [left, leftFiles] = [
    new Room(maxCommitsPerRelease, maxCommitBytesPerRelease),
    new Room(maxFilesPerRelease, maxFileBytesPerRelease),
  ];
  const kept = new Map<string, ReleaseCommit>();
  for (const { files, ...commit } of newest) {
    if (!left.take(commit)) break;
    const paths = files && limitFiles(files).filter((path) => leftFiles.take(path));
    kept.set(commit.id, { ...commit, ...(paths !== undefined && { files: paths }) });
  }
  return commits.flatMap(({ id }) => kept.get(id) ?? []);
}

/** Longer paths and further files say nothing about an issue. */
function limitFiles(paths: readonly string[]): readonly string[] {
  const { maxFilesPerCommit, maxFilePathChars } = releaseLimits;
  return paths.filter(({ length }) => length <= maxFilePathChars).slice(0, maxFilesPerCommit);
}

/** Room for values as JSON. */
class Room {
  #count: number;
  #bytes: number;

  constructor(count: number, bytes: number) {
    this.#count = count;
    this.#bytes = bytes;
  }

  /** False if the value has no room. */
  take(value: unknown): boolean {
    const bytes = Buffer.byteLength(JSON.stringify(value));
    if (this.#count < 1 || this.#bytes < bytes) return false;
    this.#count--;
    this.#bytes -= bytes;
    return true;
  }
}

/** The facts without the paths of changed files. */
export function withoutFiles(facts: ReleaseFacts): ReleaseFacts {
  return { ...facts, commits: facts.commits.map(({ files: _, ...commit }) => commit) };
}
