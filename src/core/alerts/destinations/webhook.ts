/**
 * The body of a webhook (Standard Webhooks 1.0.0): `type`, `timestamp` and `data`. Texts are JSON
 * strings as they were reported, truncated: receivers escape them. The body stays below the 20 KB
 * that the specification recommends.
 */

import * as v from "valibot";
import { WEBHOOK_SECRET_PREFIX } from "../../scrubbing/own-secrets.ts";
import { truncateText } from "../../truncate.ts";
import { formatRfc3339 } from "../../utc-time.ts";
import type { AlertedIssue, AlertMessage } from "../alert-message.ts";
import { FACT_LIMITS } from "../formats/alert-facts.ts";
import { getTrigger } from "../triggers/triggers.ts";
import { checkUrl, defineDestination, maskUrl, urlSetting } from "./destination-kind.ts";

const MAX_BYTES = 20_000;
const SECRET = new RegExp(`^${WEBHOOK_SECRET_PREFIX}([A-Za-z0-9+/]{32,86}={0,2})$`);

const secretSchema = v.pipe(
  v.string(),
  v.check(isSecret, "The secret must be whsec_ and the base64 of 24 to 64 bytes."),
);

export const webhook = defineDestination({
  kind: "webhook",
  label: "Webhook",
  noun: "webhook",
  hint: "Signed JSON (Standard Webhooks).",
  settings: {
    url: urlSetting("https://example.com/hooks/errata"),
    /** Signs the requests: `whsec_` and base64. */
    secret: secretSchema,
    /** The secret before a rotation; both sign until `previousUntilMs`. */
    previousSecret: v.optional(secretSchema),
    previousUntilMs: v.optional(v.number()),
  },
  createsSecret: true,
  checkTarget: ({ url }, rules) => checkUrl(url, rules),
  describeTarget: ({ url }) => maskUrl(url),
  createCall({ url, secret, previousSecret, previousUntilMs = 0 }, message, nowMs) {
    const isRotating = previousSecret !== undefined && nowMs < previousUntilMs;
    return {
      kind: "json",
      url,
      body: toWebhookBody(message),
      signedWith: isRotating ? [secret, previousSecret] : [secret],
    };
  },
  answers: { isStatusEnough: true, retriesAll: true, isGone: (status) => status === 410 },
});

/** The secret of random `bytes`, of which 32 are usual. */
export function formatWebhookSecret(bytes: Uint8Array): string {
  return `${WEBHOOK_SECRET_PREFIX}${btoa(String.fromCharCode(...bytes))}`;
}

/** True for a secret that receivers accept (Standard Webhooks 1.0.0). */
function isSecret(secret: string): boolean {
  const [, base64] = SECRET.exec(secret) ?? [];
  if (base64 === undefined || base64.length % 4 !== 0) return false;
  const bytes = (base64.replace(/=+$/, "").length * 3) >> 2;
  return bytes >= 24 && bytes <= 64;
}

/** The JSON of a webhook. Times are RFC 3339 in UTC. */
interface WebhookBody {
  /** `issue.new`; `alerts.summary` and `alerts.test` for messages without one trigger. */
  readonly type: string;
  readonly timestamp: string;
  readonly data: {
    /** The same as the header `webhook-id`. */
    readonly id: string;
    readonly title: string;
    readonly project: { readonly id: string; readonly name: string; readonly url: string };
    readonly reasons: AlertMessage["reasons"];
    readonly issues: readonly WebhookIssue[];
    readonly summary?: {
      readonly issues: number;
      readonly since: string;
      readonly url: string;
      /** The digests of at most 500 issues. */
      readonly digests: readonly string[];
    };
    readonly listUrl?: string;
    readonly quietUntil?: string;
    readonly settingsUrl: string;
  };
}

interface WebhookIssue
  extends Omit<
    AlertedIssue,
    "firstSeenMs" | "lastSeenMs" | "deployedMs" | "returnedMs" | "resolved"
  > {
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** When the first release was deployed. */
  readonly deployed?: string;
  readonly returned?: string;
  readonly resolved?: { readonly at: string; readonly by?: string; readonly release?: string };
}

/** `message` as the body of a webhook. Issues at the end are omitted if they do not fit. */
export function toWebhookBody(message: AlertMessage): WebhookBody {
  for (let count: number = FACT_LIMITS.issues; ; count--) {
    const body = createBody(message, message.issues.slice(0, count));
    const bytes = new TextEncoder().encode(JSON.stringify(body)).length;
    if (bytes < MAX_BYTES || count === 0) return body;
  }
}

function createBody(message: AlertMessage, issues: readonly AlertedIssue[]): WebhookBody {
  const { id, kind, atMs, title, project, reasons, summary, settingsUrl } = message;
  const { listUrl, quietUntilMs } = message;
  const trigger = reasons[0]?.trigger;
  return {
    type:
      kind === "test" || kind === "summary" || trigger === undefined
        ? `alerts.${kind === "test" ? "test" : "summary"}`
        : getTrigger(trigger).webhookEvent,
    timestamp: formatRfc3339(atMs),
    data: {
      id,
      title: truncateText(title, FACT_LIMITS.value),
      project: { ...project, name: truncateText(project.name, FACT_LIMITS.name) },
      reasons: reasons.slice(0, FACT_LIMITS.reasons).map((reason) => ({
        trigger: reason.trigger,
        text: truncateText(reason.text, FACT_LIMITS.reason),
        figures: reason.figures,
        growth: reason.growth,
        rules: reason.rules
          .slice(0, FACT_LIMITS.rules)
          .map(({ name, url }) => ({ name: truncateText(name, FACT_LIMITS.name), url })),
      })),
      issues: issues.map(toWebhookIssue),
      summary: summary && {
        issues: summary.issues,
        since: formatRfc3339(summary.sinceMs),
        url: summary.url,
        digests: summary.digests,
      },
      listUrl,
      quietUntil: quietUntilMs === undefined ? undefined : formatRfc3339(quietUntilMs),
      settingsUrl,
    },
  };
}

function toWebhookIssue(issue: AlertedIssue): WebhookIssue {
  const { firstSeenMs, lastSeenMs, deployedMs, returnedMs, resolved, ...rest } = issue;
  const { type, message, links, feedback, ...others } = rest;
  const { github, ...known } = links;
  // The former name of `snooze`.
  const pages = known.snooze === undefined ? known : { ...known, ignore: known.snooze };
  const short = Object.entries(others).map(([name, value]) => [
    name,
    typeof value === "string" ? truncateText(value, FACT_LIMITS.value) : value,
  ]);
  const { atMs: resolvedMs = 0, by, release } = resolved ?? {};
  return {
    ...(Object.fromEntries(short) as typeof others),
    type: truncateText(type, FACT_LIMITS.value),
    message: truncateText(message, FACT_LIMITS.reported),
    firstSeen: formatRfc3339(firstSeenMs),
    lastSeen: formatRfc3339(lastSeenMs),
    deployed: deployedMs === undefined ? undefined : formatRfc3339(deployedMs),
    returned: returnedMs === undefined ? undefined : formatRfc3339(returnedMs),
    feedback: feedback && { ...feedback, text: truncateText(feedback.text, FACT_LIMITS.reported) },
    resolved: resolved && { at: formatRfc3339(resolvedMs), by, release },
    links: github !== undefined && github.length <= 2_000 ? { ...pages, github } : pages,
  };
}
