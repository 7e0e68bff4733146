/**
 * The payload of a Web Push message, which `client/push-worker.ts` shows as a notification. Title
 * and body of a notification are plain text (Notifications API § 2). The payload has at most 3,993
 * bytes (RFC 8291 § 4).
 */
import { truncateText } from "../../truncate.ts";
import type { AlertMessage } from "../alert-message.ts";
import { describeAlert, getOnlyIssue } from "./alert-facts.ts";
import { formatPhrase } from "./phrase.ts";

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
