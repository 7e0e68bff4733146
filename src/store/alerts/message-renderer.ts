/**
 * Renders messages when they are sent or read, so that no reported text is stored with them. A
 * message that is sent at once states what the index sent with its alert. For one that waited, and
 * for the inbox, the issues are read again: they may have changed, or been erased.
 */

import { LOCAL_ASSIGNEE, toComparableName } from "../../core/accounts/names.ts";
import { findProject, type RegistryState } from "../../core/accounts/registry.ts";
import type { AlertMessage } from "../../core/alerts/alert-message.ts";
import type { AlertedFacts } from "../../core/alerts/alerted-facts.ts";
import type { IssueDetails } from "../../core/alerts/describe-report.ts";
import type { Destination } from "../../core/alerts/destinations/destinations.ts";
import type { DueAlert } from "../../core/alerts/due-alert.ts";
import { createGitHubIssueUrl } from "../../core/alerts/formats/github-issue.ts";
import { keepWanted } from "../../core/alerts/judging/keep-wanted.ts";
import type { Notice } from "../../core/alerts/notice.ts";
import type { PeriodFacts, PeriodQuery } from "../../core/alerts/periods/period-facts.ts";
import { LOCAL_PERSON } from "../../core/alerts/preferences.ts";
import {
  listShownIssues,
  type RenderContext,
  renderIssue,
  renderMessage,
  renderPeriod,
  renderTest,
} from "../../core/alerts/render-message.ts";
import type { AlertInbox } from "../../core/ports/alerts-port.ts";
import type { DeployMoment } from "../../core/ports/source-maps-port.ts";
import type { Digest } from "../../core/report.ts";
import { withTimeout } from "../with-timeout.ts";
import { createActionPath } from "./action-links.ts";
import type { SenderSettings } from "./sender-settings.ts";
import type { Delivery } from "./tables/delivery-table.ts";
import type { IdentifiedAlert } from "./tables/inbox-table.ts";
import type { StoredNotice } from "./tables/notice-table.ts";

const REGISTRY_MS = 60_000;
const DEPLOYS_TIMEOUT_MS = 1_000;
const REPOSITORY_MS = 60_000;
const REPOSITORY_TIMEOUT_MS = 1_000;
/** Issues that one message shows or ranks. */
const MAX_RENDERED_ISSUES = 100;
/** How long a message may state facts that came with its alert. */
const FRESH_MS = 5_000;
/** Issues whose facts wait for their messages. */
const MAX_FRESH = 200;

/** What messages state of the issues of alerts, as the index read it. */
export interface SentFacts {
  readonly atMs: number;
  readonly issues: readonly AlertedFacts[];
}

interface RendererDeps {
  readonly project: string;
  readonly settings: Pick<SenderSettings, "get">;
  /** The origin that the configuration states. */
  readonly origin: string | undefined;
  /**
   * Issues in the order of the digests, null for those that do not exist; with the texts of some
   * comments.
   */
  readonly readIssues: (
    digests: readonly Digest[],
    comments?: readonly string[],
  ) => Promise<readonly (AlertedFacts | null)[]>;
  /** The details of issues, as far as they can be read. Never rejects. */
  readonly readDetails: (
    issues: readonly AlertedFacts[],
  ) => Promise<ReadonlyMap<Digest, IssueDetails>>;
  /** The issue that was seen last; undefined if the project has none. */
  readonly findNewestIssue: () => Promise<Digest | undefined>;
  readonly readPeriod: (query: PeriodQuery) => Promise<PeriodFacts>;
  /** The deploys since a time. */
  readonly listDeploys: (sinceMs: number) => Promise<readonly DeployMoment[]>;
  /** True if `LOCAL_PERSON` is a member: `ERRATA_LOCAL`. */
  readonly isLocalOpen: boolean;
  readonly readRegistry: () => Promise<RegistryState | null>;
  /** The GitHub repository of prefilled issues; empty for none, undefined if it was never set. */
  readonly readIssueRepository: () => Promise<string | undefined>;
  /** Called with an alert that is no longer wanted. */
  readonly onHeldBack: (alert: DueAlert) => void;
  readonly nowMs: () => number;
}

export class MessageRenderer {
  readonly #deps: RendererDeps;
  #registry: { readonly state: RegistryState; readonly atMs: number } | undefined;
  #repository: { readonly name: string | undefined; readonly atMs: number } | undefined;
  /** The facts that came with alerts. They have reported text, so they are not stored. */
  readonly #fresh = new Map<Digest, { readonly facts: AlertedFacts; readonly atMs: number }>();
  #erasedMs = 0;

  constructor(deps: RendererDeps) {
    this.#deps = deps;
  }

  /** Keeps facts for the messages that are sent at once. */
  keepFacts({ atMs: sentMs, issues }: SentFacts): void {
    // The clock of the index may be ahead.
    const atMs = Math.min(sentMs, this.#deps.nowMs());
    const isOld = (one: number) => one <= this.#erasedMs || this.#deps.nowMs() - one > FRESH_MS;
    for (const [digest, known] of this.#fresh) if (isOld(known.atMs)) this.#fresh.delete(digest);
    if (isOld(atMs)) return;
    for (const facts of issues.slice(0, MAX_FRESH - this.#fresh.size))
      this.#fresh.set(facts.digest, { facts, atMs });
  }

  /** Reads the repository of prefilled issues for the next message. */
  forgetRepository(): void {
    this.#repository = undefined;
  }

  /** Forgets all facts, also those on their way: an erasure may concern them. */
  forgetFacts(): void {
    this.#erasedMs = this.#deps.nowMs();
    this.#fresh.clear();
  }

  /**
   * The message for a destination; null if its alerts are no longer wanted, or if its person is no
   * longer a member, or receives only alerts of assigned issues. Rejects while the index is
   * unavailable.
   */
  async renderFor(delivery: Delivery, destination: Destination): Promise<AlertMessage | null> {
    const { kind, message: id, contents } = delivery;
    const { person, origin } = destination;
    const registry = await this.#readRegistry();
    if (person !== undefined && !this.#isMember(registry, person)) return null;
    if (kind === "test") return this.#renderTest(id, delivery.dueMs, origin);
    if (kind === "period") return this.#renderPeriod(delivery, destination, registry);
    const wanted = await this.#createContext(contents.alerts, origin, (digests) =>
      this.#readForMessage(digests),
    );
    const kept = this.#keepWanted(delivery, destination, wanted);
    const alerts = kept.filter(({ alert: { digest, notice } }) => {
      if (person === undefined) return true;
      if (notice !== undefined) return this.#isTold(registry, person, notice);
      const issue = digest === undefined ? undefined : wanted.issues.get(digest);
      return this.#isForPerson(registry, person, issue);
    });
    if (alerts.length === 0 && contents.alerts.length > 0) return null;
    // A message that gathered one alert looks like a message of that alert.
    const isSingle = alerts.length === 1 && contents.more === 0;
    const rendered = { id, alerts: alerts.map(({ alert }) => alert), more: contents.more };
    const details = await this.#deps.readDetails(listShownIssues(rendered.alerts, wanted.issues));
    return renderMessage(isSingle ? { ...rendered, id: alerts[0]?.id ?? id } : rendered, {
      ...wanted,
      details,
    });
  }

  /** The summary of a period; null if the destination no longer asks for it. */
  async #renderPeriod(
    { message: id, contents: { period }, dueMs: atMs }: Delivery,
    { summaryEvery, person, origin }: Destination,
    registry: RegistryState | undefined,
  ): Promise<AlertMessage | null> {
    if (period === undefined || period.every !== summaryEvery) return null;
    const { every, ...range } = period;
    const isPersonal = person !== undefined && this.#isOnlyAssigned(person);
    const assignee = isPersonal ? findPersonName(registry, person) : undefined;
    if (isPersonal && assignee === undefined) return null;
    const { readPeriod, listDeploys } = this.#deps;
    const [facts, deploys, context] = await Promise.all([
      readPeriod({ ...range, assignee }),
      // The mail has the other facts too.
      withTimeout(listDeploys(range.fromMs), DEPLOYS_TIMEOUT_MS).catch(() => []),
      this.#createContext([], origin),
    ]);
    return renderPeriod({ id, atMs, isPersonal, every, range, facts, deploys }, context);
  }

  /** A test with the newest issue, so that it looks like an alert. */
  async #renderTest(id: string, atMs: number, origin: string | undefined): Promise<AlertMessage> {
    const newest = await this.#deps.findNewestIssue().catch(() => undefined);
    const alert = { atMs, triggers: [], digest: newest };
    const context = await this.#createContext([{ id, alert }], origin);
    const details = await this.#deps.readDetails([...context.issues.values()]);
    return renderTest(id, atMs, { ...context, details }, newest);
  }

  /** The alerts that are still wanted. Logs the others, once for each message. */
  #keepWanted(
    { contents, attempts }: Delivery,
    destination: Destination,
    { issues }: RenderContext,
  ): readonly IdentifiedAlert[] {
    const { settings, nowMs, onHeldBack } = this.#deps;
    const { rules } = settings.get();
    const judged = contents.alerts.map((one) => {
      const issue = one.alert.digest === undefined ? undefined : issues.get(one.alert.digest);
      return { one, kept: keepWanted(one.alert, { rules, destination, issue, nowMs: nowMs() }) };
    });
    const kept = judged.flatMap(({ one, kept: alert }) =>
      typeof alert === "string" ? [] : { ...one, alert },
    );
    if (attempts === 0 || kept.length === 0)
      for (const { one, kept: held } of judged)
        if (typeof held === "string") onHeldBack({ ...one.alert, held });
    return kept;
  }

  /** The inbox: messages, each with one alert, and what concerns a person. */
  async renderInbox(
    alerts: readonly IdentifiedAlert[],
    notices: readonly StoredNotice[],
  ): Promise<Pick<AlertInbox, "messages" | "notices">> {
    const comments = notices.flatMap(({ comment }) => comment ?? []);
    // The inbox links to the issue, which shows who resolved it.
    const readIssues: RendererDeps["readIssues"] = async (digests) =>
      (await this.#deps.readIssues(digests, comments)).map(
        (issue) => issue && { ...issue, resolvedBy: undefined },
      );
    const about = notices.map(({ id, atMs, digest }) => ({
      id,
      alert: { atMs, digest, triggers: [] },
    }));
    // The newest of both lists first: the number of issues is limited.
    const all = [...alerts, ...about].sort((a, b) => b.alert.atMs - a.alert.atMs);
    const context = await this.#createContext(all, "", readIssues);
    return {
      messages: alerts.map(({ id, alert }) =>
        renderMessage({ id, alerts: [alert], more: 0 }, context),
      ),
      notices: notices.flatMap(({ digest, comment, ...notice }) => {
        const facts = context.issues.get(digest);
        if (facts === undefined) return [];
        const text = comment === undefined ? undefined : facts.comments?.[comment];
        return { ...notice, issue: renderIssue(facts, notice.atMs, context), comment: text };
      }),
    };
  }

  /** `ownOrigin` is the origin of the person, for links if no owner has saved settings. */
  async #createContext(
    alerts: readonly IdentifiedAlert[],
    ownOrigin = "",
    readIssues = this.#deps.readIssues,
  ): Promise<RenderContext> {
    const { project, settings, origin } = this.#deps;
    const { rules, actionKey, origin: savedOrigin = ownOrigin } = settings.get();
    const all = new Set(alerts.flatMap(({ alert }) => alert.digest ?? []));
    const digests = [...all].slice(0, MAX_RENDERED_ISSUES);
    const [issues, repository] =
      digests.length === 0
        ? [[], ""]
        : await Promise.all([readIssues(digests), this.#readRepository()]);
    const registry = await this.#readRegistry();
    const name = (registry && findProject(registry, project))?.name ?? project;
    return {
      project: { id: project, name },
      origin: origin ?? savedOrigin,
      ruleNames: new Map(rules.map((rule) => [rule.id, rule.name])),
      issues: new Map(issues.flatMap((issue) => (issue === null ? [] : [[issue.digest, issue]]))),
      toGitHubUrl:
        repository === ""
          ? undefined
          : (issue, url) => createGitHubIssueUrl(repository, issue, url),
      toActionPath: (action, digest, atMs) =>
        createActionPath({ project, actionKey }, action, digest, atMs),
    };
  }

  /** The facts that came with the alerts; if some are missing or old, those of the index. */
  async #readForMessage(digests: readonly Digest[]): Promise<readonly (AlertedFacts | null)[]> {
    const { nowMs, readIssues } = this.#deps;
    const fresh = digests.flatMap((digest) => {
      const { facts, atMs = 0 } = this.#fresh.get(digest) ?? {};
      return facts === undefined || nowMs() - atMs > FRESH_MS ? [] : facts;
    });
    return fresh.length === digests.length ? fresh : readIssues(digests);
  }

  #isMember(registry: RegistryState | undefined, person: string): boolean {
    const { project, isLocalOpen } = this.#deps;
    if (person === LOCAL_PERSON) return isLocalOpen;
    // The message waits, because a former member must not receive it.
    if (registry === undefined) throw new Error("the registry is unavailable");
    return registry.memberships.some((one) => one.person === person && one.project === project);
  }

  #isForPerson(
    registry: RegistryState | undefined,
    person: string,
    issue: AlertedFacts | undefined,
  ): boolean {
    if (!this.#isOnlyAssigned(person)) return true;
    const name = findPersonName(registry, person);
    return name !== undefined && issue?.assignee === name;
  }

  #isTold(registry: RegistryState | undefined, person: string, { to }: Notice): boolean {
    const name = person === LOCAL_PERSON ? LOCAL_ASSIGNEE : findPersonName(registry, person);
    return name !== undefined && to.some((one) => toComparableName(one) === toComparableName(name));
  }

  #isOnlyAssigned(person: string): boolean {
    return this.#deps.settings.get().preferences[person]?.onlyAssigned === true;
  }

  /**
   * The GitHub repository of prefilled issues, at most a minute old; empty for none. While the index
   * is unavailable or lacks it, the one that an earlier release stored with the alert settings.
   */
  async #readRepository(): Promise<string> {
    const { settings, readIssueRepository, nowMs } = this.#deps;
    const cached = this.#repository;
    if (cached === undefined || nowMs() - cached.atMs >= REPOSITORY_MS) {
      try {
        const name = await withTimeout(readIssueRepository(), REPOSITORY_TIMEOUT_MS);
        this.#repository = { name, atMs: nowMs() };
      } catch (error) {
        console.warn("alerts: repository unavailable", String(error));
      }
    }
    return this.#repository?.name ?? settings.get().repository ?? "";
  }

  /** The registry, at most a minute old; an older one while it is unavailable. */
  async #readRegistry(): Promise<RegistryState | undefined> {
    const { readRegistry, nowMs } = this.#deps;
    const cached = this.#registry;
    if (cached !== undefined && nowMs() - cached.atMs < REGISTRY_MS) return cached.state;
    try {
      const state = await readRegistry();
      if (state !== null) this.#registry = { state, atMs: nowMs() };
    } catch (error) {
      console.warn("alerts: registry unavailable", String(error));
    }
    return this.#registry?.state;
  }
}

function findPersonName(registry: RegistryState | undefined, person: string): string | undefined {
  return registry?.people.find(({ id }) => id === person)?.name;
}
