/** The texts for destinations and results of alerts. */
import type { DestinationKind } from "../../core/alerts/destination.ts";
import type { QueryCheck } from "../../core/alerts/queries/check-rule-query.ts";
import type { DeliveryAttempt } from "../../core/ports/alerts-port.ts";
import { formatNumber, pluralize } from "../parts/number.tsx";

/** The kinds of destinations that a project can have, with the fields of their forms. */
export const DESTINATION_KINDS: readonly {
  readonly kind: Exclude<DestinationKind, "push">;
  readonly label: string;
  readonly hint: string;
  readonly fields: readonly {
    readonly name: "url" | "to" | "token" | "chatId";
    readonly label: string;
    readonly placeholder: string;
    readonly isOptional?: true;
  }[];
}[] = [
  {
    kind: "slack",
    label: "Slack",
    hint: "The URL of an incoming webhook. Mattermost takes the same format.",
    fields: [url("https://hooks.slack.com/services/…")],
  },
  {
    kind: "discord",
    label: "Discord",
    hint: "The URL of a webhook for the channel.",
    fields: [url("https://discord.com/api/webhooks/…")],
  },
  {
    kind: "teams",
    label: "Microsoft Teams",
    hint: "The URL of a workflow.",
    fields: [url("https://….logic.azure.com/workflows/…")],
  },
  {
    kind: "pagerduty",
    label: "PagerDuty",
    hint: "The integration key of a service (Events API v2).",
    fields: [
      { name: "token", label: "Integration key", placeholder: "R0…" },
      region("https://events.eu.pagerduty.com"),
    ],
  },
  {
    kind: "opsgenie",
    label: "Opsgenie",
    hint: "Also Jira Service Management: the key of an API integration.",
    fields: [
      { name: "token", label: "API key", placeholder: "00000000-…" },
      region("https://api.eu.opsgenie.com or https://api.atlassian.com"),
    ],
  },
  {
    kind: "google-chat",
    label: "Google Chat",
    hint: "The URL of a webhook for the space.",
    fields: [url("https://chat.googleapis.com/v1/spaces/…")],
  },
  {
    kind: "rocket-chat",
    label: "Rocket.Chat",
    hint: "The URL of an incoming webhook.",
    fields: [url("https://chat.example.com/hooks/…")],
  },
  {
    kind: "webhook",
    label: "Webhook",
    hint: "Signed JSON (Standard Webhooks).",
    fields: [url("https://example.com/hooks/errata")],
  },
  {
    kind: "email",
    label: "Email",
    hint: "The deployment needs the binding EMAIL.",
    fields: [{ name: "to", label: "Addresses", placeholder: "ada@example.com" }],
  },
  {
    kind: "ntfy",
    label: "ntfy",
    hint: "The URL of a topic.",
    fields: [
      url("https://ntfy.sh/my-topic"),
      { name: "token", label: "Access token, if needed", placeholder: "tk_…", isOptional: true },
    ],
  },
  {
    kind: "telegram",
    label: "Telegram",
    hint: "The token of a bot, and a chat with it.",
    fields: [
      { name: "token", label: "Token", placeholder: "123456:ABC…" },
      { name: "chatId", label: "Chat", placeholder: "-1001234567890" },
    ],
  },
];

/** The name of a kind. */
export function formatDestinationKind(kind: DestinationKind): string {
  return DESTINATION_KINDS.find((one) => one.kind === kind)?.label ?? "Browser";
}

/** The result of trying a query: `Matches 3 of 41 issues of the last 7 days.` */
export function formatQueryCheck({ matched, total, days, isCapped }: QueryCheck): string {
  const all =
    isCapped === true
      ? `the newest ${formatNumber(total)} issues`
      : `${pluralize(total, "issue")} of the last ${days} days`;
  return `Matches ${formatNumber(matched)} of ${all}.`;
}

/** The cool-downs of the form: `1 h`. */
export const COOL_DOWNS: readonly (readonly [ms: number, label: string])[] = [
  [0, "none"],
  [300_000, "5 min"],
  [1_800_000, "30 min"],
  [3_600_000, "1 h"],
  [10_800_000, "3 h"],
  [43_200_000, "12 h"],
  [86_400_000, "1 day"],
  [604_800_000, "7 days"],
];

/** `1 h`; a cool-down that the form does not have, in minutes. */
export function formatCoolDown(ms: number): string {
  return COOL_DOWNS.find(([value]) => value === ms)?.[1] ?? `${Math.round(ms / 60_000)} min`;
}

export const RESULT_LABELS: Readonly<Record<DeliveryAttempt["result"], string>> = {
  delivered: "delivered",
  retry: "will retry",
  failed: "failed",
  gone: "rejected permanently",
};

/** `09:30` for minutes after midnight. */
export function formatMinutes(minutes: number): string {
  const hours = String(Math.floor(minutes / 60)).padStart(2, "0");
  return `${hours}:${String(minutes % 60).padStart(2, "0")}`;
}

/** Names of the days, Sunday first. */
export const DAY_NAMES = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;

function region(placeholder: string) {
  const label = "Address of another region, if needed";
  return { name: "url" as const, label, placeholder, isOptional: true as const };
}

function url(placeholder: string) {
  return { name: "url" as const, label: "URL", placeholder };
}

/** `Add webhook`, but `Add Slack`: the names of services keep their capitals. */
export function toAddLabel({ kind, label }: { kind: string; label: string }): string {
  return `Add ${kind === "webhook" || kind === "email" ? label.toLowerCase() : label}`;
}
