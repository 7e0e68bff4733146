/**
 * The body of a message to an ntfy server, published as JSON. The apps show plain text and turn
 * URLs into links, so these are broken in reported text. Limits: docs.ntfy.sh › Publishing.
 */
import * as v from "valibot";
import { ok } from "../../result.ts";
import { truncateText } from "../../truncate.ts";
import { type AlertMessage, listTriggers } from "../alert-message.ts";
import { refuse } from "../decode.ts";
import {
  type AlertFacts,
  describeAlert,
  getOnlyIssue,
  type IssueFacts,
} from "../formats/alert-facts.ts";
import { breakLinks } from "../formats/inert-text.ts";
import { formatPhrase } from "../formats/phrase.ts";
import { getTrigger } from "../triggers/triggers.ts";
import {
  checkUrl,
  defineDestination,
  maskUrl,
  type SettingField,
  urlSetting,
} from "./destination-kind.ts";

const TOKEN: SettingField = {
  label: "Access token, if needed",
  placeholder: "tk_…",
  isOptional: true,
};

export const ntfy = defineDestination({
  kind: "ntfy",
  label: "ntfy",
  hint: "The URL of a topic.",
  settings: {
    url: urlSetting("https://ntfy.sh/my-topic"),
    token: v.pipe(
      v.optional(v.pipe(v.string(), v.regex(/^[\x21-\x7e]*$/, "The token is not valid."))),
      v.metadata({ field: TOKEN }),
    ),
  },
  checkTarget({ url }, rules) {
    const checked = checkUrl(url, rules);
    if (!checked.ok) return checked;
    return /^[\w-]{1,64}$/.test(parseNtfyUrl(url).topic)
      ? ok(undefined)
      : refuse("The URL must end in the name of a topic, such as https://ntfy.sh/my-topic.");
  },
  describeTarget: ({ url }) => maskUrl(url),
  createCall({ url, token = "" }, message) {
    const { topic, server } = parseNtfyUrl(url);
    const headers: Record<string, string> =
      token === "" ? {} : { authorization: `Bearer ${token}` };
    return { kind: "json", url: server, headers, body: toNtfyBody(message, topic) };
  },
  answers: { isGone: (_, text) => /"code"\s{0,9}:\s{0,9}40[13]01\b/.test(text) },
});

/** The topic of a topic's URL, and the address for its JSON. */
export function parseNtfyUrl(url: string): { readonly topic: string; readonly server: string } {
  const { origin, pathname } = new URL(url);
  const [topic = "", ...parents] = pathname
    .split("/")
    .filter((part) => part !== "")
    .reverse();
  return { topic, server: `${[origin, ...parents.reverse()].join("/")}/` };
}

/** Longer messages become attachments. */
const MAX_MESSAGE_BYTES = 4_000;
const MAX_TITLE_CHARS = 150;
const MAX_ACTIONS = 3;

/** The JSON of `POST https://ntfy.sh/`. */
interface NtfyBody {
  readonly topic: string;
  readonly title: string;
  readonly message: string;
  readonly priority: 3 | 4 | 5;
  readonly tags: readonly string[];
  readonly click?: string;
  readonly actions: readonly {
    readonly action: "view";
    readonly label: string;
    readonly url: string;
  }[];
}

/** `message` for the topic. */
export function toNtfyBody(message: AlertMessage, topic: string): NtfyBody {
  const facts = describeAlert(message);
  const issue = getOnlyIssue(facts);
  const title = issue?.shortTitle ?? `${facts.title} · ${facts.project}`;
  return {
    topic,
    title: breakLinks(truncateText(title, MAX_TITLE_CHARS)),
    message: truncateToBytes(breakLines(listLines(facts, issue)), MAX_MESSAGE_BYTES),
    priority: choosePriority(message),
    tags: [TAGS[facts.mark] ?? "warning"],
    ...(facts.main.url === "" ? {} : { click: facts.main.url }),
    actions: [...(issue?.links.slice(1) ?? []), facts.settings]
      .filter(({ url }) => url !== "")
      .slice(0, MAX_ACTIONS)
      .map(({ label, url }) => ({ action: "view" as const, label, url })),
  };
}

/** The short codes of emoji that the apps show before the title. */
const TAGS: Readonly<Record<string, string>> = {
  "🔴": "red_circle",
  "🟠": "orange_circle",
  "🟡": "yellow_circle",
  "🔵": "large_blue_circle",
  "💬": "speech_balloon",
};

function listLines(facts: AlertFacts, issue: IssueFacts | undefined): readonly string[] {
  if (issue === undefined) {
    const issues = facts.issues.map(({ badge, digest, headline }) =>
      [badge ?? "", digest, headline].filter((part) => part !== "").join(" · "),
    );
    return [...issues, ...facts.reasons, facts.footer];
  }
  const { message, cause = [], source = "", quote = [], lines } = issue;
  const inOrder = [
    ...[facts.status, message, formatPhrase(cause), source, formatPhrase(quote)],
    ...lines.map((line) => formatPhrase(line)),
  ];
  return [...inOrder, facts.footer];
}

function breakLines(lines: readonly string[]): string {
  return lines
    .filter((line) => line !== "")
    .map(breakLinks)
    .join("\n");
}

/** An issue that returned or grows wakes people up. */
function choosePriority(message: AlertMessage): NtfyBody["priority"] {
  const triggers = listTriggers(message);
  if (triggers.some((trigger) => getTrigger(trigger).isUrgent)) return 5;
  return triggers.includes("delivery") ? 4 : 3;
}

/** The beginning of `text` that has at most `maxBytes` bytes in UTF-8. */
function truncateToBytes(text: string, maxBytes: number): string {
  let chars = Math.min(text.length, maxBytes);
  const encoder = new TextEncoder();
  while (encoder.encode(truncateText(text, chars)).length > maxBytes) chars -= 50;
  return truncateText(text, chars);
}
