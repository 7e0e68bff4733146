/**
 * The body of a Microsoft Teams workflow: a message with one Adaptive Card 1.4. All texts are
 * `TextRun`s, which have no Markdown; links in reported text are also broken. Limit: 28 KB
 * (Microsoft Teams connector, "Message size limit").
 */
import type { AlertMessage } from "../alert-message.ts";
import {
  type AlertFacts,
  type AlertLink,
  describeAlert,
  getOnlyIssue,
  type IssueFacts,
  toHeadline,
} from "../formats/alert-facts.ts";
import { breakLinks } from "../formats/inert-text.ts";
import { formatPhrase, type Phrase } from "../formats/phrase.ts";
import { defineUrlDestination } from "./destination-kind.ts";

export const teams = defineUrlDestination({
  kind: "teams",
  label: "Microsoft Teams",
  hint: "The URL of a workflow.",
  placeholder: "https://….logic.azure.com/workflows/…",
  toCall: (_, message) => ({ body: toTeamsBody(message) }),
  answers: {
    isChat: true,
    // Teams states the status of a message that it refused inside the text of a 200.
    findStatus(text) {
      const [, status] = /HTTP error (\d{3})/.exec(text) ?? [];
      return status === undefined ? undefined : Number(status);
    },
    isRefused: (body, success) => /\bdelivery failed\b/i.test(body) || success === false,
  },
});

const MAX_BYTES = 27_000;
/** Teams shows no further ones. */
const MAX_ACTIONS = 6;

interface TextRun {
  readonly type: "TextRun";
  readonly text: string;
  readonly weight?: "Bolder";
  readonly size?: "Medium";
  readonly fontType?: "Monospace";
  readonly isSubtle?: true;
}

interface RichTextBlock {
  readonly type: "RichTextBlock";
  readonly inlines: readonly TextRun[];
}

/** The JSON of a request to a Teams workflow. */
interface TeamsBody {
  readonly type: "message";
  readonly attachments: readonly {
    readonly contentType: "application/vnd.microsoft.card.adaptive";
    readonly contentUrl: null;
    readonly content: {
      readonly $schema: "http://adaptivecards.io/schemas/adaptive-card.json";
      readonly type: "AdaptiveCard";
      readonly version: "1.4";
      readonly body: readonly RichTextBlock[];
      readonly actions: readonly {
        readonly type: "Action.OpenUrl";
        readonly title: string;
        readonly url: string;
      }[];
    };
  }[];
}

/** `message` for Teams. Issues at the end of a summary are omitted if they do not fit. */
export function toTeamsBody(message: AlertMessage): TeamsBody {
  const facts = describeAlert(message);
  for (let issues = facts.issues; ; issues = issues.slice(0, -1)) {
    const body = createBody({ ...facts, issues });
    const bytes = new TextEncoder().encode(JSON.stringify(body)).length;
    if (bytes <= MAX_BYTES || issues.length === 0) return body;
  }
}

function createBody(facts: AlertFacts): TeamsBody {
  const { mark, status, summary, issues, reasons, footer } = facts;
  const issue = getOnlyIssue(facts);
  const links = [...(issue?.links ?? [facts.main]), facts.settings];
  return {
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          body: [
            toBlock({ ...toRun(`${mark} ${status}`), isSubtle: true }),
            toBlock({ ...toRun(toHeadline(facts)), weight: "Bolder", size: "Medium" }),
            ...(issue === undefined ? [] : formatIssue(issue)),
            ...(summary === undefined ? [] : issues.flatMap(formatSummaryIssue)),
            ...reasons.map((line) => toBlock(toRun(line))),
            ...(footer === "" ? [] : [toBlock({ ...toRun(footer), isSubtle: true })]),
          ],
          actions: toActions(links),
        },
      },
    ],
  };
}

function formatIssue({ cause, source, quote, lines }: IssueFacts): readonly RichTextBlock[] {
  return [
    ...(cause === undefined ? [] : [toLine(cause)]),
    ...(source === undefined ? [] : [toBlock({ ...toRun(source), fontType: "Monospace" })]),
    ...(quote === undefined ? [] : [toLine(quote)]),
    ...lines.map(toLine),
  ];
}

function formatSummaryIssue({ badge, digest, headline, lines }: IssueFacts) {
  const head = badge === undefined ? digest : `${badge} · ${digest}`;
  return [
    toBlock({ ...toRun(head), isSubtle: true }),
    toBlock({ ...toRun(headline), weight: "Bolder" }),
    ...lines.map(toLine),
  ];
}

function toLine(phrase: Phrase): RichTextBlock {
  return toBlock(toRun(formatPhrase(phrase)));
}

function toActions(links: readonly AlertLink[]) {
  return links
    .filter(({ url }) => url !== "")
    .slice(0, MAX_ACTIONS)
    .map(({ label, url }) => ({ type: "Action.OpenUrl" as const, title: label, url }));
}

function toBlock(...inlines: readonly TextRun[]): RichTextBlock {
  return { type: "RichTextBlock", inlines };
}

function toRun(text: string): TextRun {
  return { type: "TextRun", text: breakLinks(text) };
}
