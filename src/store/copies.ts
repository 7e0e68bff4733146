/**
 * What the index copies into KV: its issues, the codes that lead to them, the newest list, and what people decided. A value is
 * made when it is written, so it is always what is true then; one that is gone is deleted.
 */

import type { Digest } from "../core/report.ts";
import { isCommon, retentionSeconds } from "../core/retention.ts";
import type { Changes } from "./changes.ts";
import { aliasKey, decisionKey, issueKey, listKey, notesKey, VIEWS, viewsKey } from "./keys.ts";
import type { Ledger } from "./ledger.ts";
import { Snapshots } from "./snapshots.ts";
import type { WriteBudget } from "./write-budget.ts";

/** What one index copies with. */
export interface CopyingFacts {
  readonly project: string;
  readonly ledger: Ledger;
  readonly kv: () => KVNamespace;
  readonly budget: WriteBudget;
  readonly retentionDays: number;
  readonly nowMs: () => number;
  /** True while what the ledger says must not stand in KV. */
  readonly isPaused: () => boolean;
}

/** The copies of one index. */
export class Copies {
  readonly #facts: CopyingFacts;
  readonly #snapshots: Snapshots;

  /** Everything that was not copied when the object was last awake is due. */
  constructor(facts: CopyingFacts) {
    this.#facts = facts;
    const { kv, nowMs, budget } = facts;
    this.#snapshots = new Snapshots(
      {
        put: (key, value, expirationTtl) =>
          kv().put(key, value, { ...(expirationTtl && { expirationTtl }) }),
        delete: (key) => kv().delete(key),
      },
      nowMs,
      budget,
      facts.isPaused,
    );
    this.recall();
  }

  /** How many keys of KV are not as they should be. */
  get waiting(): number {
    return this.#snapshots.waiting;
  }

  /** Finds again what is not copied. */
  recall(): void {
    const { issues, aliases, decisions, notes, views, merges, gone } = this.#facts.ledger;
    const stale = new Set(issues.stale());
    // One that was merged goes when what it had counted is there in another.
    const left = gone.names("issue").filter((digest) => !stale.has(merges.of(digest)));
    this.changed({
      digests: new Set([...stale, ...left]),
      aliases: new Set([...aliases.stale(), ...gone.names("alias")]),
      decisions: new Set([...decisions.stale(), ...gone.names("decision")]),
      notes: new Set([...notes.stale(), ...gone.names("notes")]),
    });
    if (views.stale().length > 0) this.views();
    if (issues.isListStale()) this.#list();
  }

  /** Notes what is no longer in KV as it is here. */
  changed({ digests, aliases, decisions, notes }: Changes): void {
    for (const digest of decisions) this.#decision(digest);
    for (const digest of notes) this.#notes(digest);
    if (this.#facts.ledger.views.stale().length > 0) this.views();
    for (const digest of digests) this.#issue(digest);
    for (const alias of aliases) this.#alias(alias);
    if (digests.size > 0) this.#list();
  }

  /** Writes what is due; see `Snapshots.write`. */
  write(): Promise<number | null> {
    return this.#snapshots.write();
  }

  #ttlSeconds(common: boolean): number {
    return retentionSeconds(this.#facts.retentionDays, common);
  }

  #issue(digest: Digest): void {
    const { project, ledger, nowMs } = this.#facts;
    this.#snapshots.stale({
      key: issueKey(project, digest),
      make: () => {
        const issue = ledger.issues.issue(digest);
        if (issue === undefined) return null;
        const { mergedUpTo: _, ...kept } = issue;
        const value = { ...kept, upTo: ledger.issues.upTo() };
        return { value, ttlSeconds: this.#ttlSeconds(isCommon(issue, nowMs())) };
      },
      written: () => {
        ledger.issues.issueCopied(digest);
        ledger.gone.done("issue", digest);
        const { merged = [] } = ledger.issues.issue(digest) ?? {};
        const gone = merged.length > 0 ? ledger.gone.names("issue") : [];
        for (const one of merged) if (gone.includes(one)) this.#issue(one);
      },
    });
  }

  #list(): void {
    const { project, ledger, nowMs } = this.#facts;
    let asOfMs = 0;
    this.#snapshots.stale({
      key: listKey(project, 0),
      isFirst: true,
      make: () => {
        const value = ledger.list(nowMs());
        asOfMs = value.asOfMs;
        return { value, ttlSeconds: this.#ttlSeconds(false) };
      },
      written: () => ledger.issues.listCopied(asOfMs),
    });
  }

  #alias(alias: string): void {
    const { project, ledger } = this.#facts;
    this.#snapshots.stale({
      key: aliasKey(project, alias),
      make: () => {
        const digests = ledger.aliases.digestsOf(alias);
        if (digests.length === 0) return null;
        return { value: { v: 1, digests }, ttlSeconds: this.#ttlSeconds(false) };
      },
      written: () => {
        ledger.aliases.copied(alias);
        ledger.gone.done("alias", alias);
      },
    });
  }

  /** What people added does not expire either. */
  #notes(digest: Digest): void {
    const { project, ledger } = this.#facts;
    this.#snapshots.stale({
      key: notesKey(project, digest),
      isFirst: true,
      make: () => {
        const value = ledger.notes.get(digest);
        return value === undefined ? null : { value };
      },
      written: () => {
        ledger.notes.copied(digest);
        ledger.gone.done("notes", digest);
      },
    });
  }

  /** Notes that the views in KV are no longer those that are kept. */
  views(): void {
    const { project, ledger } = this.#facts;
    this.#snapshots.stale({
      key: viewsKey(project),
      isFirst: true,
      make: () => ({ value: { v: 1, views: ledger.people.views() } }),
      written: () => ledger.views.copied(VIEWS),
    });
  }

  /** What people decided does not expire: the issue may return after a year. */
  #decision(digest: Digest): void {
    const { project, ledger } = this.#facts;
    this.#snapshots.stale({
      key: decisionKey(project, digest),
      isFirst: true,
      make: () => {
        const value = ledger.decisions.get(digest);
        return value === undefined ? null : { value };
      },
      written: () => {
        ledger.decisions.copied(digest);
        ledger.gone.done("decision", digest);
      },
    });
  }
}
