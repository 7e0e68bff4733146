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
  describeRules,
  type IssueFacts,
} from "./alert-facts.ts";
import { breakLinks } from "./inert-text.ts";

const MAX_BYTES = 27_000;

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
  const { title, project, summary, issues, reasons, rules, quiet = "" } = facts;
  const why = [...reasons, describeRules(rules), quiet].filter((line) => line !== "");
  const [first] = summary === undefined ? issues : [];
  const links = [facts.main, ...(first?.links.slice(1) ?? []), ...rules.slice(0, 1)];
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
            toBlock({ ...toRun(`${title} · ${project}`), weight: "Bolder", size: "Medium" }),
            ...(summary === undefined ? [] : [toBlock(toRun(summary))]),
            ...issues.flatMap(formatIssue),
            ...why.map((line) => toBlock({ ...toRun(line), isSubtle: true })),
          ],
          actions: toActions([...links, facts.settings]),
        },
      },
    ],
  };
}

function formatIssue({ digest, reported, facts }: IssueFacts): readonly RichTextBlock[] {
  return [
    toBlock({ ...toRun(digest), weight: "Bolder" }),
    toBlock({ ...toRun(reported), fontType: "Monospace" }),
    ...facts.map(([label, value]) =>
      toBlock(toRun(`${label}: `), { ...toRun(value), fontType: "Monospace" }),
    ),
  ];
}

function toActions(links: readonly AlertLink[]) {
  return links
    .filter(({ url }) => url !== "")
    .map(({ label, url }) => ({ type: "Action.OpenUrl" as const, title: label, url }));
}

function toBlock(...inlines: readonly TextRun[]): RichTextBlock {
  return { type: "RichTextBlock", inlines };
}

function toRun(text: string): TextRun {
  return { type: "TextRun", text: breakLinks(text) };
}
