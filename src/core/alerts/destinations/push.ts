/**
 * The payload of a Web Push message, which `client/push-worker.ts` shows as a notification. Title
 * and body of a notification are plain text (Notifications API § 2). The payload has at most 3,993
 * bytes (RFC 8291 § 4).
 */
import * as v from "valibot";
import { ok } from "../../result.ts";
import { truncateText } from "../../truncate.ts";
import type { AlertMessage } from "../alert-message.ts";
import { refuse } from "../decode.ts";
import { describeAlert, getOnlyIssue } from "../formats/alert-facts.ts";
import { formatPhrase } from "../formats/phrase.ts";
import { defineDestination, maskUrl } from "./destination-kind.ts";
import { isAllowedTarget, parseTarget } from "./target-address.ts";

/** The push services of browsers. Any member can send any endpoint. */
const PUSH_HOSTS =
  /^(?:fcm\.googleapis\.com|(?:[\w-]+\.)*push\.services\.mozilla\.com|(?:[\w-]+\.)*push\.apple\.com|(?:[\w-]+\.)*notify\.windows\.com)$/;
const KEYS = "The keys of the subscription are not valid.";

/** Browsers of people (RFC 8030), which they add on their own page. */
export const push = defineDestination({
  kind: "push",
  label: "Browser",
  settings: {
    endpoint: v.string(),
    // An uncompressed point of P-256 and 16 bytes (RFC 8291 § 3.1), in base64url.
    p256dh: v.pipe(v.string(KEYS), v.regex(/^B[\w-]{86}$/, KEYS)),
    auth: v.pipe(v.string(KEYS), v.regex(/^[\w-]{22}$/, KEYS)),
  },
  checkTarget({ endpoint }, { allowedTargets }) {
    const target = parseTarget(endpoint, allowedTargets);
    if (!target.ok) return target;
    const { value: url } = target;
    const isKnown = PUSH_HOSTS.test(url.hostname) && (url.port === "" || url.port === "443");
    return isKnown || isAllowedTarget(url, allowedTargets)
      ? ok(undefined)
      : refuse("Errata does not support the push service of this browser.");
  },
  describeTarget: ({ endpoint }) => maskUrl(endpoint),
  createCall: (subscription, message) => ({
    kind: "push",
    ...subscription,
    payload: toPushPayload(message),
    topic: toPushTopic(message),
    isUrgent: message.kind === "issue",
  }),
  // RFC 8030 § 7.3.
  answers: { isStatusEnough: true, isGone: (status) => status === 404 || status === 410 },
});

const MAX_TITLE_CHARS = 120;
const MAX_BODY_CHARS = 400;

/** The JSON that the browser decrypts. */
interface PushPayload {
  readonly title: string;
  readonly body: string;
  /** A path of Errata, which a click opens. */
  readonly path: string;
  /** A notification replaces an earlier one with the same tag. */
  readonly tag: string;
}

/** `message` for a browser. */
export function toPushPayload(message: AlertMessage): PushPayload {
  const facts = describeAlert(message);
  const issue = getOnlyIssue(facts);
  const url = URL.parse(facts.main.url);
  const lines =
    issue === undefined
      ? [...facts.issues.map((one) => toSummaryLine(one.badge, one.headline)), ...facts.reasons]
      : [
          ...[facts.status, issue.message, formatPhrase(issue.quote ?? [])],
          ...issue.lines.map((line) => formatPhrase(line)),
        ];
  const path = url === null ? "/alerts" : `${url.pathname}${url.search}`;
  return {
    title: truncateText(issue?.shortTitle ?? `${facts.title} · ${facts.project}`, MAX_TITLE_CHARS),
    body: truncateText(lines.filter((line) => line !== "").join("\n"), MAX_BODY_CHARS),
    path: path.length <= 1_000 ? path : "/alerts",
    tag: toPushTopic(message),
  };
}

function toSummaryLine(badge: string | undefined, headline: string): string {
  const text = truncateText(headline, 80);
  return badge === undefined ? text : `${badge}: ${text}`;
}

/**
 * The topic of a message: a push service replaces a waiting message with the same topic. At most 32
 * characters of base64url (RFC 8030 § 5.4).
 */
export function toPushTopic({ id, issues, kind }: AlertMessage): string {
  const [issue] = issues;
  const name = kind === "issue" && issue !== undefined ? issue.digest : id;
  return name.replace(/[^\w-]/g, "").slice(-32) || "alert";
}
