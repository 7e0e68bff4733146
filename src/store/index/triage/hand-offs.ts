/**
 * Hands issues to coding agents: decides whether an agent may get an issue, and records each
 * hand-off in its annotations before the message is sent. Synchronous; each call is one
 * transaction.
 */
import type { DueAlert } from "../../../core/alerts/due-alert.ts";
import {
  type AgentDestination,
  type HandOffFacts,
  type HandOffRefusal,
  type SentHandOff,
  toHandOffFacts,
} from "../../../core/alerts/hand-off.ts";
import { judgeHandOff } from "../../../core/alerts/judging/judge-hand-off.ts";
import type { IssueChange } from "../../../core/alerts/triggers/trigger.ts";
import { addHandOff, findCurrentHandOff, type HandOff } from "../../../core/issue/fix-record.ts";
import type { Digest } from "../../../core/report.ts";
import { fail, ok, type Result } from "../../../core/result.ts";
import { toUtcDay } from "../../../core/utc-time.ts";
import { type ChangeResult, createDirtyKeys } from "../state/dirty-keys.ts";
import type { IndexTables } from "../state/index-tables.ts";
import { addSteps } from "./undo-log.ts";

/** A hand-off that a member asks for. */
export interface HandOffInput {
  /** The id of the destination; the only one if it is absent. */
  readonly to?: string | undefined;
  readonly by?: string | undefined;
  /** True to hand off an issue again that an agent has, or for which a change is proposed. */
  readonly isAgain?: boolean | undefined;
}

/** The name of the destination, or why the issue is not handed off. */
export type HandOffResult = Result<
  { readonly name: string },
  { readonly reason: HandOffRefusal | "unknown-digest" | "unknown-agent" }
>;

/** Records that a member hands an issue off, and queues its message. `changeId` undoes it. */
export function requestHandOff(
  tables: IndexTables,
  digest: Digest,
  { to, by, isAgain }: HandOffInput,
  nowMs: number,
  changeId: string,
): ChangeResult<HandOffResult> {
  const { issues, annotations, alerts } = tables;
  const { agents = [] } = alerts.rules.get();
  const agent = agents.find(({ id }) => id === to) ?? (to === undefined ? agents[0] : undefined);
  const issue = issues.get(digest);
  if (issue === undefined) return { result: fail({ reason: "unknown-digest" }) };
  if (agent === undefined || (to === undefined && agents.length > 1))
    return { result: fail({ reason: "unknown-agent" }) };
  const before = annotations.getOrEmpty(digest);
  const known = before.fix?.handOffs?.some(({ message }) => message === changeId);
  if (known === true) return { result: ok({ name: agent.name }) };
  const refusal = judgeHandOff({ issue, record: before.fix, isByMember: true, isAgain, nowMs });
  if (refusal !== null) return { result: fail({ reason: refusal }) };
  return tables.transaction(() => {
    if (!takeCap(tables, agent, nowMs)) return { result: fail({ reason: "daily-cap" }) };
    const handOff = { atMs: nowMs, to: agent.id, name: agent.name, message: changeId, by };
    annotations.save(digest, { ...before, fix: addHandOff(before.fix ?? {}, handOff) });
    addSteps(tables, changeId, [{ change: "hand-off", digest, atMs: nowMs }], nowMs);
    const request = { to: agent.id, request: changeId };
    alerts.add([createAlert(digest, request, nowMs)], nowMs);
    return { result: ok({ name: agent.name }), dirtyKeys: createDirtyKeys({}) };
  });
}

/**
 * The facts of a message to an agent, or why it is not sent. Each attempt of a message asks again:
 * the issue may have been resolved. Records the hand-off of a rule.
 */
export function takeHandOff(
  tables: IndexTables,
  project: string,
  { digest, agent, message, request }: SentHandOff,
  nowMs: number,
): Result<HandOffFacts, { readonly reason: HandOffRefusal }> {
  const { issues, annotations } = tables;
  const issue = issues.get(digest) ?? null;
  const before = annotations.getOrEmpty(digest);
  const { fix: record } = before;
  const id = request ?? message;
  const isSame = (one: HandOff) => one.message === id && one.to === agent.id;
  const isRecorded = record?.handOffs?.some(isSame) === true;
  if (request !== undefined && !isRecorded) return fail({ reason: "withdrawn" });
  const isByMember = request !== undefined;
  const reason = judgeHandOff({ issue, record, isByMember, isAgain: isRecorded, nowMs });
  if (reason !== null || issue === null) return fail({ reason: reason ?? "not-open" });
  const facts = toHandOffFacts(issue, project, record);
  if (isRecorded) {
    markSent(tables, digest, id, nowMs);
    return ok(facts);
  }
  return tables.transaction(() => {
    if (!takeCap(tables, agent, nowMs)) return fail({ reason: "daily-cap" });
    const handOff: HandOff = {
      ...{ atMs: nowMs, to: agent.id, name: agent.name, message, sentMs: nowMs },
      ...(facts.return !== undefined && { isReturn: true }),
    };
    annotations.save(digest, { ...before, fix: addHandOff(record ?? {}, handOff) });
    return ok(facts);
  });
}

/**
 * Hands the issues that came back to the agents that had them. Only reports of servers do that:
 * anyone can send others. True if there is one.
 */
export function handBack(
  tables: IndexTables,
  changes: readonly IssueChange[],
  nowMs: number,
): boolean {
  const alerts = changes.flatMap(({ before, after, reports }): readonly DueAlert[] => {
    const { digest, decision } = after;
    const isBack =
      decision?.regressedAtMs !== undefined &&
      decision.regressedAtMs !== before?.decision?.regressedAtMs;
    if (!isBack || !reports.some(({ trust }) => trust === "server")) return [];
    const { fix } = tables.annotations.getOrEmpty(digest);
    const last = fix?.handOffs?.at(-1);
    return last === undefined ? [] : [createAlert(digest, { to: last.to }, nowMs)];
  });
  if (alerts.length > 0) tables.alerts.add(alerts, nowMs);
  return alerts.length > 0;
}

/** Takes a hand-off back whose message was not sent yet. False if it is unknown, or too late. */
export function withdrawHandOff(tables: IndexTables, digest: Digest, atMs: number): boolean {
  const { annotations } = tables;
  const before = annotations.getOrEmpty(digest);
  const last = findCurrentHandOff(before.fix ?? {});
  if (last?.atMs !== atMs || last.sentMs !== undefined) return false;
  const handOffs = before.fix?.handOffs?.filter((one) => one !== last) ?? [];
  annotations.save(digest, { ...before, fix: { ...before.fix, handOffs } });
  return true;
}

/** From now on, it cannot be undone. */
function markSent({ annotations }: IndexTables, digest: Digest, id: string, nowMs: number): void {
  const before = annotations.getOrEmpty(digest);
  const { handOffs = [] } = before.fix ?? {};
  if (handOffs.every(({ message, sentMs }) => message !== id || sentMs !== undefined)) return;
  const marked = handOffs.map((one) => (one.message === id ? { ...one, sentMs: nowMs } : one));
  annotations.save(digest, { ...before, fix: { ...before.fix, handOffs: marked } });
}

function takeCap({ caps }: IndexTables, { id, dailyCap }: AgentDestination, nowMs: number) {
  const taken = caps.take(toUtcDay(nowMs), `hand-off-${id}`, dailyCap);
  caps.save();
  return taken > 0;
}

function createAlert(digest: Digest, handOff: DueAlert["handOff"], atMs: number): DueAlert {
  return { atMs, digest, trust: "server", triggers: [{ kind: "hand-off", rules: [] }], handOff };
}
