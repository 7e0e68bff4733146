/** Creates the parts of one project's alert sender and connects them. */
import type { Bindings } from "../../bindings.ts";
import { readAlertDelivery, readStoreSettings } from "../../config.ts";
import { toConfirmedSettings } from "../../core/alerts/destination.ts";
import type { AlertedFacts } from "../../core/alerts/judging/keep-wanted.ts";
import type { PeriodFacts } from "../../core/alerts/periods/period-facts.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import type { SourceMapSummary } from "../../core/ports/source-maps-port.ts";
import { parsePosition } from "../kv/keys.ts";
import { parseStoredReport } from "../kv/stored-json.ts";
import type { ProjectFacts } from "../rpc/alerts-rpc.ts";
import { createRegistryStub, createSourceMapsStub, createStubs } from "../rpc/stubs.ts";
import { SharedAlarm } from "../shared-alarm.ts";
import type { Database } from "../sqlite/database.ts";
import { AddressConfirmations } from "./address-confirmations.ts";
import { AlertIntake } from "./alert-intake.ts";
import { readIssueDetails } from "./issue-details.ts";
import { MessageRenderer } from "./message-renderer.ts";
import { MessageSender } from "./message-sender.ts";
import { PeriodSummaries } from "./period-summaries.ts";
import { ProjectChecks } from "./project-checks.ts";
import { type DeliveryContext, deliver } from "./send/deliver.ts";
import { sendMail } from "./send/send-email.ts";
import { SenderSettings } from "./sender-settings.ts";
import { AlertTables } from "./tables/alert-tables.ts";

/** The parts of an object. `getEnv` returns its bindings. */
export function createAlertSenderParts(
  ctx: DurableObjectState,
  getEnv: () => Bindings,
  database: Database,
) {
  const project = ctx.id.name ?? "";
  const { location } = readStoreSettings(getEnv());
  const { origin, isLocalOpen } = readAlertDelivery(getEnv());
  const nowMs = Date.now;
  const stubOptions = { project, ...omitUndefined({ location }) };
  const index = () => createStubs(getEnv(), stubOptions).index();
  const tables = new AlertTables(ctx.storage, database);
  const settings = new SenderSettings({
    project,
    table: tables.settings,
    kv: () => getEnv().KV,
    pushRules: (rules) => index().setAlertRules(rules),
  });
  const shared = { project, tables, settings, nowMs };
  const intake = new AlertIntake({ ...shared, createId: () => crypto.randomUUID() });
  const renderer = new MessageRenderer({
    ...{ ...shared, origin, isLocalOpen },
    readIssues: async (digests) =>
      (await index().readAlertedIssues(digests)) as readonly (AlertedFacts | null)[],
    onHeldBack: (alert) => intake.logHeld(alert),
    readDetails: (issues) =>
      readIssueDetails(issues, {
        readReport: async (position) => {
          const shard = parsePosition(position)?.shard;
          const log = createStubs(getEnv(), stubOptions).log;
          const line = shard === undefined ? null : await log(shard).readLine(position);
          return line === null ? null : parseStoredReport(line);
        },
        sourceMaps: () => createSourceMapsStub(getEnv(), stubOptions),
        readResolvers: async (digests) => index().readResolvers(digests),
      }),
    findNewestIssue: async () => {
      const { issues } = await index().listNewestIssues();
      return issues.toSorted((a, b) => b.firstSeenMs - a.firstSeenMs)[0]?.digest;
    },
    readPeriod: async (query) => (await index().readPeriod(query)) as PeriodFacts,
    listDeploys: async (sinceMs) =>
      createSourceMapsStub(getEnv(), stubOptions).listDeploys(sinceMs),
    readRegistry: async () => createRegistryStub(getEnv(), location).readIfNewer(-1),
  });
  const checks = new ProjectChecks({
    table: tables.checks,
    getRules: () => settings.get().rules,
    readFacts: async () => (await index().readProjectFacts()) as ProjectFacts,
    readUploads: async () =>
      (await createSourceMapsStub(getEnv(), stubOptions).summarize()) as SourceMapSummary,
    addAlerts: (triggers, remember) => intake.addProjectAlerts(triggers, remember),
    nowMs,
  });
  const summaries = new PeriodSummaries(shared);
  /** The writes of deliveries to the index. */
  let recording: Promise<unknown> = Promise.resolve();
  const sender = new MessageSender({
    ...shared,
    render: (delivery, destination) => renderer.renderFor(delivery, destination),
    deliver: async (destination, message) => {
      const confirmed = toConfirmedSettings(destination);
      return confirmed === null
        ? { kind: "failed", answer: "No address of this destination is confirmed." }
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
      const recorded = index()
        .recordSentAlert(digests, sent)
        .catch((error: unknown) => console.warn("alerts: delivery not recorded", String(error)));
      recording = Promise.all([recording, recorded]);
    },
    onDisabled: (destination) => intake.addDisabled(destination),
    onUndelivered: (destination) => intake.addUndelivered(destination),
    random: Math.random,
  });
  const confirmations = new AddressConfirmations({
    ...shared,
    origin,
    send: (address, mail) => sendMail([address], mail, createDelivery(getEnv(), settings)),
  });
  return {
    ...{ project, tables, settings, intake, renderer, checks, summaries, sender, confirmations },
    alarm: new SharedAlarm(ctx.storage, nowMs),
    waitForRecording: () => recording,
  };
}

/** The environment of one attempt to deliver. */
function createDelivery(env: Bindings, settings: SenderSettings): DeliveryContext {
  const { vapid, origin: savedOrigin } = settings.get();
  const { origin = savedOrigin, ...configured } = readAlertDelivery(env);
  const ownHost = origin === undefined ? undefined : new URL(origin).host;
  const call: typeof fetch = (input, init) => fetch(input, init);
  return { ...configured, fetch: call, nowMs: Date.now(), vapid, ...omitUndefined({ ownHost }) };
}
