/** The parts of the alert sender, and what each gets from the others and from other objects. */
import type { Bindings } from "../../bindings.ts";
import { hasMail, readAlertDelivery, readSecretKeys, readStoreSettings } from "../../config.ts";
import {
  getDestinationKind,
  toConfirmedSettings,
} from "../../core/alerts/destinations/destinations.ts";
import type { EmailBody } from "../../core/alerts/formats/mail/email-body.ts";
import type { Report } from "../../core/report.ts";
import { CopyWriter } from "../kv/copy-writer.ts";
import { parsePosition } from "../kv/keys.ts";
import { parseStoredReport } from "../kv/stored-json.ts";
import { connectProject, type ProjectObjects } from "../objects.ts";
import { SharedAlarm } from "../shared-alarm.ts";
import type { Database } from "../sqlite/database.ts";
import { AddressConfirmations } from "./address-confirmations.ts";
import { AlertIntake } from "./alert-intake.ts";
import { HandOffs } from "./hand-offs.ts";
import { readIssueDetails } from "./issue-details.ts";
import { MessageRenderer } from "./message-renderer.ts";
import { MessageSender } from "./message-sender.ts";
import { PeriodSummaries } from "./period-summaries.ts";
import { ProjectChecks } from "./project-checks.ts";
import { type DeliveryContext, deliver } from "./send/deliver.ts";
import { sendMail } from "./send/send-mail.ts";
import { SenderSettings } from "./sender-settings.ts";
import { AlertTables } from "./tables/alert-tables.ts";
import { createTrackerParts } from "./trackers/tracker-parts.ts";
import { VisitorRequests } from "./visitor-requests.ts";

/** The parts of the object, of which `getEnv` returns the bindings. */
export function createParts(
  { id, storage }: DurableObjectState,
  getEnv: () => Bindings,
  database: Database,
) {
  const project = id.name ?? "";
  const objects = connectProject(getEnv, { ...readStoreSettings(getEnv()), project });
  const { index, sourceMaps, registry } = objects;
  const { origin, isLocalOpen } = readAlertDelivery(getEnv());
  const nowMs = Date.now;
  const tables = new AlertTables(
    storage,
    { project, readKeys: () => readSecretKeys(getEnv()), nowMs },
    database,
  );
  const alarm = new SharedAlarm(storage, nowMs);
  const copies = new CopyWriter({
    ...{ storage, alarm, nowMs, kv: () => getEnv().KV, intervalMs: 0 },
    source: { read: () => settings.toCopy() },
  });
  const settings: SenderSettings = new SenderSettings({
    project,
    table: tables.settings,
    copies,
    pushRules: (rules) => index.setAlertRules(rules),
  });
  const shared = { project, tables, settings, nowMs };
  const intake = new AlertIntake({ ...shared, createId: () => crypto.randomUUID() });
  const renderer = new MessageRenderer({
    ...shared,
    origin,
    isLocalOpen,
    readIssues: (digests, comments) => index.readAlertedIssues(digests, comments),
    onHeldBack: (alert) => intake.logHeld(alert),
    readDetails: (issues) =>
      readIssueDetails(issues, {
        readReport: (position) => readReport(objects, position),
        sourceMaps,
      }),
    findNewestIssue: async () => {
      const { issues } = await index.listNewestIssues();
      return issues.toSorted((a, b) => b.firstSeenMs - a.firstSeenMs)[0]?.digest;
    },
    readPeriod: (query) => index.readPeriod(query),
    listDeploys: (sinceMs) => sourceMaps.listDeploys(sinceMs),
    readRegistry: () => registry.readIfNewer(-1),
    readIssueRepository: () => index.readIssueRepository(),
  });
  const handOffs = new HandOffs({
    ...shared,
    origin,
    take: (handOff) => index.takeHandOff(handOff),
    onHeldBack: (alert) => intake.logHeld(alert),
  });
  /** The writes of deliveries to the index. */
  let recording: Promise<unknown> = Promise.resolve();
  const sender = new MessageSender({
    ...shared,
    render: (delivery, destination) =>
      getDestinationKind(destination.settings.kind).isAgent === true
        ? handOffs.render(delivery, destination)
        : renderer.renderFor(delivery, destination),
    deliver: async (destination, message) => {
      const confirmed = toConfirmedSettings(destination);
      return confirmed === null
        ? { kind: "failed", answer: "No address of this destination is confirmed.", isOwn: true }
        : deliver(confirmed, message, createDelivery(getEnv(), settings));
    },
    onDelivered: (destination, message, atMs) => {
      const digests = message.issues.map(({ digest }) => digest);
      // Tests and resolutions are no alerts of the issue.
      const isAlert = message.kind !== "test" && message.reasons[0]?.trigger !== "resolved";
      if (!isAlert) return;
      // Other members do not see the names of personal destinations.
      if (digests.length === 0 || destination.person !== undefined) return;
      const sent = { atMs, message: message.id, to: [destination.name] };
      // The next call of the index may come days later, and pages show the alert before.
      const recorded = index
        .recordSentAlert(digests, sent)
        .catch((error: unknown) => console.warn("alerts: delivery not recorded", String(error)));
      recording = Promise.all([recording, recorded]);
    },
    onDisabled: (destination) => intake.addDisabled(destination),
    onUndelivered: (destination) => intake.addUndelivered(destination),
    random: Math.random,
  });
  const send = (address: string, mail: EmailBody) =>
    sendMail([address], mail, createDelivery(getEnv(), settings));
  return {
    project,
    tables,
    settings,
    intake,
    renderer,
    sender,
    alarm,
    copies,
    trackers: createTrackerParts({ ...shared, index, getEnv }),
    checks: new ProjectChecks({
      table: tables.checks,
      getRules: () => settings.get().rules,
      readFacts: () => index.readProjectFacts(),
      readSourceMaps: () => sourceMaps.summarize(),
      addAlerts: (triggers, remember) => intake.addProjectAlerts(triggers, remember),
      nowMs,
    }),
    summaries: new PeriodSummaries(shared),
    confirmations: new AddressConfirmations({ ...shared, origin, send }),
    visitors: new VisitorRequests({
      ...{ ...shared, origin, send, random: Math.random },
      hasMail: () => hasMail(getEnv()),
      readProgress: (issues) => index.readFixProgress(issues),
    }),
    waitForRecording: () => recording,
  };
}

/** The report at a position in its log; null if it is no longer there. */
async function readReport({ log }: ProjectObjects, position: string): Promise<Report | null> {
  const shard = parsePosition(position)?.shard;
  const line = shard === undefined ? null : await log(shard).readLine(position);
  return line === null ? null : parseStoredReport(line);
}

/** The environment of one attempt to deliver. */
function createDelivery(env: Bindings, settings: SenderSettings): DeliveryContext {
  const { vapid, origin: savedOrigin } = settings.get();
  const { origin = savedOrigin, ...configured } = readAlertDelivery(env);
  const ownHost = origin === undefined ? undefined : new URL(origin).host;
  const call: typeof fetch = (input, init) => fetch(input, init);
  return { ...configured, fetch: call, nowMs: Date.now(), vapid, ownHost };
}
