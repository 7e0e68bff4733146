/**
 * The payload of a Web Push message, which `client/push-worker.ts` shows as a notification. Title
 * and body of a notification are plain text (Notifications API § 2). The payload has at most 3,993
 * bytes (RFC 8291 § 4).
 */
import { truncateText } from "../../truncate.ts";
import type { AlertMessage } from "../alert-message.ts";
import { describeAlert } from "./alert-facts.ts";

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
  const [issue] = facts.issues;
  const url = URL.parse(facts.main.url);
  const isOne = issue !== undefined && facts.summary === undefined;
  const lines = isOne
    ? [issue.reported, ...issue.facts.slice(0, 3).map(([, value]) => value)]
    : [facts.summary ?? "", ...facts.issues.map(({ reported }) => truncateText(reported, 80))];
  const path = url === null ? "/alerts" : `${url.pathname}${url.search}`;
  return {
    title: truncateText(`${facts.title} · ${facts.project}`, MAX_TITLE_CHARS),
    body: truncateText(
      [...lines, ...facts.reasons.slice(0, 1)].filter((line) => line !== "").join("\n"),
      MAX_BODY_CHARS,
    ),
    path: path.length <= 1_000 ? path : "/alerts",
    tag: toPushTopic(message),
  };
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
