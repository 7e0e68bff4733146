/** The parts of AlertSender for trackers. */
import type { Bindings } from "../../../bindings.ts";
import { readAlertDelivery } from "../../../config.ts";
import { getProjectBasePath } from "../../../core/accounts/project-path.ts";
import type { Tracker } from "../../../core/trackers/tracker.ts";
import type { TrackerEvent } from "../../../core/trackers/tracker-event.ts";
import type { Exchange } from "../../../core/trackers/tracker-kind.ts";
import type { IndexApi } from "../../objects.ts";
import type { AlertTables } from "../tables/alert-tables.ts";
import { runExchange } from "./run-exchange.ts";
import { TrackerDesk, type TrackerSettings } from "./tracker-desk.ts";
import { TrackerSender } from "./tracker-sender.ts";

interface PartsDeps {
  readonly project: string;
  readonly tables: AlertTables;
  readonly settings: TrackerSettings;
  readonly index: IndexApi;
  readonly getEnv: () => Bindings;
  readonly nowMs: () => number;
}

export function createTrackerParts(deps: PartsDeps) {
  const { project, tables, settings, index, getEnv, nowMs } = deps;
  const readOrigin = () => readAlertDelivery(getEnv()).origin ?? settings.get().origin ?? "";
  const getRules = () => {
    const origin = readOrigin();
    const { allowedTargets } = readAlertDelivery(getEnv());
    return { allowedTargets, ownHost: origin === "" ? undefined : new URL(origin).host };
  };
  const call = <T>(tracker: Tracker, exchange: Exchange<T>) =>
    runExchange(tracker, exchange, {
      ...getRules(),
      fetch: (input, init) => fetch(input, init),
      nowMs,
    });
  const applyEvents = async (tracker: Tracker, events: readonly TrackerEvent[]) => {
    const { id, kind, project: name, baseUrl } = tracker;
    await index.applyTrackerEvents({ id, kind, project: name, baseUrl }, events);
  };
  const readIssue = async (digest: string) => (await index.readAlertedIssues([digest]))[0] ?? null;
  const shared = { tables, settings, call, applyEvents, nowMs };
  const sender = new TrackerSender({
    ...shared,
    findTracker: (id) => settings.get().trackers?.find((one) => one.id === id),
    readIssue,
    link: (digest, link, by) => index.annotate(digest, { change: "link-tracker", link, by }),
    toIssueUrl: (digest) => `${readOrigin()}${getProjectBasePath(project)}/d/${digest}`,
    random: Math.random,
  });
  const desk = new TrackerDesk({
    ...shared,
    sender,
    getRules,
    readTracker: async (digest) => {
      const issue = await readIssue(digest);
      return issue === null ? null : issue.tracker;
    },
    listFollowed: (after, limit) => index.listFollowedIssues(after, limit),
    tellProofs: () => index.tellTrackerProofs(),
  });
  return { desk, sender };
}
