/**
 * How what a log hands over changes the ledger: reports fold into their issues, each exactly once, and tallies are added up. Every
 * method is synchronous.
 */
import { type Arrival, arrivalOf } from "../core/arrival.ts";
import { decisionAfter, standing } from "../core/decision.ts";
import { foldMark } from "../core/fold.ts";
import type { Issue, Mark } from "../core/issue.ts";
import { present } from "../core/present.ts";
import type { Digest } from "../core/report.ts";
import { isCommon } from "../core/retention.ts";
import { type DayTallies, TallySheet } from "../core/tally.ts";
import { type Changes, changesOf } from "./changes.ts";
import { dayOfHour, orderOf, placeOf } from "./keys.ts";
import type { Ledger } from "./ledger.ts";
import { wordsOfTitle } from "./ledger-erasure.ts";
import { isWithin, type UpTo } from "./merges.ts";
import type { Sequenced } from "./rpc.ts";

/** What a delta changed, and of which of its issues there is plenty. */
export interface CountedChanges extends Changes {
  readonly common: readonly Digest[];
  /** What arrived, in order; made when it is asked for. */
  readonly counted: () => readonly Arrival[];
}

/** What marks changed, the issues that are new, and where each mark counts. */
interface CountedMarks extends CountedChanges {
  readonly made: readonly Issue[];
  readonly countedIn: ReadonlyMap<Mark, Digest>;
}

/** What rows changed, and the last of them that is counted. */
export interface Applied extends CountedChanges {
  readonly last: number;
}

/** The counting of one ledger. */
export class LedgerCounting {
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /**
   * Counts what stands in whole rows of a shard's log, in order; a row counts once, however often it comes. Gives the last row
   * that is counted, and what that changed. With `isGapless` it throws for rows that do not follow on what is counted.
   */
  apply(shard: string, rows: readonly Sequenced[], nowMs: number, isGapless = false): Applied {
    const before = this.#ledger.issues.countedOf(shard);
    const fresh = rows.filter(({ seq }) => seq > before);
    const last = fresh.at(-1)?.seq;
    if (last === undefined) return { last: before, ...NOTHING };
    if (isGapless && before > 0 && fresh[0]?.seq !== before + 1) {
      throw new Error("rows before these are not counted yet");
    }
    return this.#ledger.transaction(() => {
      const changes = this.#countOrSkip(fresh, nowMs);
      this.#ledger.issues.setCounted(shard, last, placeOfLast(fresh));
      return { last, ...changes };
    });
  }

  /** What nobody has foreseen of one report must not keep all others from being counted for ever: that one is left out. */
  #countOrSkip(rows: readonly Sequenced[], nowMs: number): CountedChanges {
    try {
      return this.#ledger.transaction(() => this.count(rows, nowMs));
    } catch (error) {
      if (!isOurFault(error)) throw error;
      console.error("index: what came together is counted one by one", String(error));
    }
    return joined(rows.flatMap((row) => this.#countAlone(row, nowMs) ?? []));
  }

  #countAlone(row: Sequenced, nowMs: number): CountedChanges | null {
    try {
      return this.#ledger.transaction(() => this.count([row], nowMs));
    } catch (error) {
      if (!isOurFault(error)) throw error;
      const said = "mark" in row ? { digest: row.mark.digest, report: row.mark.id } : {};
      console.error("index: a row is not counted", { ...said, error: String(error) });
      return null;
    }
  }

  /** Counts rows, whatever was counted before. Within a transaction of the caller's. */
  count(rows: readonly Sequenced[], nowMs: number): CountedChanges {
    const marks = rows.flatMap((row) => ("mark" in row ? row.mark : []));
    const { countedIn, made, ...changes } = this.#countMarks(marks, nowMs);
    // An issue is found by what its first report said, under whose digest ever it came; without that by what it is called.
    const words = new Map<Digest, string>();
    const merged: (readonly [Digest, string])[] = [];
    for (const row of rows) {
      if (!("mark" in row) || row.words === undefined) continue;
      const digest = countedIn.get(row.mark) ?? row.mark.digest;
      if (digest !== row.mark.digest) merged.push([digest, row.words]);
      else if (!words.has(digest)) words.set(digest, row.words);
    }
    for (const issue of made) {
      if (issue.count > 0 && !words.has(issue.digest)) words.set(issue.digest, wordsOfTitle(issue));
    }
    this.#ledger.search.add(words);
    for (const [digest, text] of merged) this.#ledger.search.extend(digest, text);
    const tallied = rows.flatMap((row) => ("tallied" in row ? row.tallied : []));
    for (const tallies of [...tallied, ...talliesOf(marks)]) this.#ledger.tallies.add(tallies);
    return changes;
  }

  #countMarks(marks: readonly Mark[], nowMs: number): CountedMarks {
    const countedIn = new Map<Mark, Digest>();
    const issues = new Map<Digest, Issue>();
    const stored = new Map<Digest, Issue | null>();
    const arrivals: { readonly mark: Mark; readonly isNew: boolean }[] = [];
    const aliases = new Set<string>();
    const decisions = new Set<Digest>();
    for (const mark of marks) {
      this.#noteRelease(mark);
      const led = this.#ledger.links.issueFor(mark);
      const linked = mark.linked || led !== mark.digest;
      const place = placeOf(mark.position);
      const digest = this.#ledger.merges.of(led, place);
      const counted = { ...mark, digest, linked };
      countedIn.set(mark, digest);
      // Its sender was told its own digest, which may be the code of no other issue: then it leads here too.
      const isOther = led !== mark.digest && this.#ledger.issues.issue(mark.digest) === undefined;
      if (isOther && this.#ledger.aliases.add(mark.digest, digest, nowMs)) aliases.add(mark.digest);
      if (!stored.has(digest)) stored.set(digest, this.#ledger.issues.issue(digest) ?? null);
      const before = issues.get(digest) ?? stored.get(digest) ?? undefined;
      if (before !== undefined && place !== null && isWithin(place, coverOf(before, led))) {
        this.#ledger.links.note(mark, digest, nowMs);
        continue;
      }
      const issue = foldMark(before, counted, nowMs);
      arrivals.push({ mark: counted, isNew: before === undefined });
      // An issue that was forgotten may return: what was decided about it outlived it.
      const decision = before === undefined ? this.#ledger.decisions.get(digest) : before.decision;
      const next = decision && decisionAfter(decision, counted, this.#firstSeen);
      if (next !== decision && next !== undefined) {
        this.#ledger.decisions.save(digest, next);
        decisions.add(digest);
        const { regressedAtMs: atMs = nowMs, regressedIn: release } = next;
        this.#ledger.people.did(digest, { atMs, did: "regressed", ...present({ release }) });
      }
      // One that was forgotten is still looked after by whoever did.
      const assignee = before === undefined ? this.#ledger.notes.get(digest)?.assignee : undefined;
      issues.set(digest, { ...issue, ...standing(issue, next, nowMs), ...present({ assignee }) });
      for (const alias of mark.aliases ?? []) {
        // The issue keeps as many codes as it may have: whoever sends more gains no more rows and keys.
        const isKept = issue.aliases.includes(alias);
        if (isKept && this.#ledger.aliases.add(alias, digest, nowMs)) aliases.add(alias);
      }
      // Known to the next mark: where a report counts depends on what came before, never on what came together.
      this.#ledger.links.note(mark, digest, nowMs);
    }
    // What the table has is at hand: a large issue is not read a second time.
    for (const issue of issues.values()) {
      this.#ledger.issues.save(issue, stored.get(issue.digest));
    }
    const common = [...issues.values()].filter((issue) => isCommon(issue, nowMs));
    return {
      digests: new Set(issues.keys()),
      aliases,
      decisions,
      notes: decisions,
      common: common.map(({ digest }) => digest),
      countedIn,
      made: [...issues.values()].filter(({ digest }) => stored.get(digest) === null),
      counted: () => arrivals.map(({ mark, isNew }) => arrivalOf(mark, isNew)),
    };
  }

  #noteRelease({ release, atMs, position }: Mark): void {
    if (release !== undefined) this.#ledger.releases.note(release, atMs, dayOfHour(position));
  }

  readonly #firstSeen = (release: string) => this.#ledger.releases.firstSeenMs(release);
}

const NOTHING: CountedChanges = {
  ...changesOf({}),
  common: [],
  counted: () => [],
};

/** Up to where the snapshots from which an issue was rebuilt had counted the reports of a digest. */
function coverOf({ upTo, mergedUpTo = {} }: Issue, digest: Digest): UpTo | undefined {
  return Object.hasOwn(mergedUpTo, digest) ? mergedUpTo[digest] : upTo;
}

/** A fault of the program, and none of the storage: it comes again whenever the same is counted. */
function isOurFault(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError;
}

function joined(all: readonly CountedChanges[]): CountedChanges {
  const both = (of: (one: CountedChanges) => Iterable<string>) =>
    all.flatMap((one) => [...of(one)]);
  return {
    ...changesOf({
      digests: both(({ digests }) => digests),
      aliases: both(({ aliases }) => aliases),
      decisions: both(({ decisions }) => decisions),
      notes: both(({ notes }) => notes),
    }),
    common: both(({ common }) => common),
    counted: () => all.flatMap(({ counted }) => counted()),
  };
}

function placeOfLast(rows: readonly Sequenced[]): number {
  const last = rows.findLast((row) => "mark" in row);
  const place = last !== undefined && "mark" in last ? placeOf(last.mark.position) : null;
  return place === null ? 0 : orderOf(place);
}

/** The reports themselves as tallies, on the days on which the log took them: those stand in their positions. */
function talliesOf(marks: readonly Mark[]): readonly DayTallies[] {
  const perDay = Map.groupBy(marks, ({ position }) => dayOfHour(position));
  return [...perDay].map(([day, its]) => {
    const sheet = new TallySheet();
    for (const { kind, noise = "", times } of its) {
      if (times === undefined) sheet.add(["accepted", kind, noise]);
      else sheet.add(["counted", kind], times);
    }
    return { day, tallies: sheet.take() };
  });
}
