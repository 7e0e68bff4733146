/**
 * The body of a message to an ntfy server, published as JSON. The apps show plain text and turn
 * URLs into links, so these are broken in reported text. Limits: docs.ntfy.sh › Publishing.
 */
import { truncateText } from "../../truncate.ts";
import type { AlertMessage } from "../alert-message.ts";
import { describeAlert, describeRules } from "./alert-facts.ts";
import { breakLinks } from "./inert-text.ts";

/** Longer messages become attachments. */
const MAX_MESSAGE_BYTES = 4_000;
const MAX_TITLE_CHARS = 150;
const MAX_ACTIONS = 3;

/** The JSON of `POST https://ntfy.sh/`. */
interface NtfyBody {
  readonly topic: string;
  readonly title: string;
  readonly message: string;
  readonly priority: 2 | 3 | 4;
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
  const isSummary = facts.summary !== undefined;
  const links = isSummary ? [] : (facts.issues[0]?.links.slice(1) ?? []);
  const issues = facts.issues.map(({ digest, reported, facts: values }) => {
    const lines = values.slice(0, isSummary ? 1 : values.length).map(([label, value]) => {
      return `${label}: ${value}`;
    });
    return [`${digest} ${reported}`, ...lines].join("\n");
  });
  const lines = [
    facts.summary ?? "",
    ...issues,
    ...facts.reasons,
    describeRules(facts.rules),
    facts.quiet ?? "",
  ];
  const text = breakLinks(lines.filter((line) => line !== "").join("\n"));
  return {
    topic,
    title: breakLinks(truncateText(`${facts.title} · ${facts.project}`, MAX_TITLE_CHARS)),
    message: truncateToBytes(text, MAX_MESSAGE_BYTES),
    priority: message.kind === "issue" ? 4 : isSummary ? 2 : 3,
    tags: ["warning"],
    ...(facts.main.url === "" ? {} : { click: facts.main.url }),
    actions: [...links, facts.settings]
      .filter(({ url }) => url !== "")
      .slice(0, MAX_ACTIONS)
      .map(({ label, url }) => ({ action: "view" as const, label, url })),
  };
}

/** The beginning of `text` that has at most `maxBytes` bytes in UTF-8. */
function truncateToBytes(text: string, maxBytes: number): string {
  let chars = Math.min(text.length, maxBytes);
  const encoder = new TextEncoder();
  while (encoder.encode(truncateText(text, chars)).length > maxBytes) chars -= 50;
  return truncateText(text, chars);
}
