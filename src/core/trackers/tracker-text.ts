/**
 * The text of an issue or of a comment in a tracker, and its formats: Markdown, the Atlassian
 * Document Format, and the wiki markup of Jira Data Center. Reported text is only in code, where no
 * tracker finds mentions, references, commands or images. Pure.
 */
import { toInertLine } from "../alerts/formats/inert-text.ts";
import { toCodeBlock, toCodeSpan } from "../markdown.ts";

/** Words of Errata, or reported text, which every format shows as code. */
export type TextPart = string | { readonly code: string };

export interface TrackerText {
  /** Reported text in lines. */
  readonly block?: string;
  /** The sentence of Errata; none for a new issue. */
  readonly parts: readonly TextPart[];
  /** The page of the issue in Errata. */
  readonly url: string;
  readonly digest: string;
  /** A UUID: what has it in its body is this text, whoever asks for it again. */
  readonly id: string;
}

/** A new issue. */
export interface TrackerDraft extends TrackerText {
  readonly title: string;
}

/** The page of the issue; the fragment tells this text from others. */
function toMarkedUrl({ url, id }: TrackerText): string {
  return `${url}#${id}`;
}

/** Markdown of GitHub, GitLab and Linear. The comment is invisible. */
export function toTrackerMarkdown(text: TrackerText): string {
  const { block, parts, url, digest, id } = text;
  const sentence = parts.map((part) => (typeof part === "string" ? part : toCodeSpan(part.code)));
  return [
    ...(block === undefined ? [] : [toCodeBlock(block)]),
    ...(sentence.length === 0 ? [] : [`${sentence.join("")}\n`]),
    `Errata: [${digest}](${url})\n`,
    `<!-- errata ${digest} ${id} -->`,
  ].join("\n");
}

/** The same without the invisible comment, for the preview. */
export function toShownMarkdown(text: TrackerText): string {
  return toTrackerMarkdown(text).replace(/\n*<!-- errata [^>]*-->$/, "");
}

/** A document of Jira Cloud (developer.atlassian.com, "Atlassian Document Format"). */
export function toAtlassianDocument(text: TrackerText): object {
  const { block, parts, digest } = text;
  const sentence = parts.map((part) =>
    typeof part === "string" ? toNode(part) : toNode(toShownCode(part.code), { type: "code" }),
  );
  const href = toMarkedUrl(text);
  const link = toNode(digest, { type: "link", attrs: { href } });
  return {
    type: "doc",
    version: 1,
    content: [
      ...(block === undefined ? [] : [{ type: "codeBlock", content: [toNode(block)] }]),
      ...(sentence.length === 0 ? [] : [{ type: "paragraph", content: sentence }]),
      { type: "paragraph", content: [toNode("Errata: "), link] },
    ],
  };
}

function toNode(text: string, mark?: object): object {
  // A text node must not be empty.
  return { type: "text", text: text || " ", ...(mark !== undefined && { marks: [mark] }) };
}

/** Wiki markup of Jira Data Center. Only its own tag ends a block without a format. */
export function toWikiMarkup(text: TrackerText): string {
  const { block, parts, digest } = text;
  const sentence = parts.map((part) =>
    typeof part === "string" ? part : toNoFormat(toShownCode(part.code)),
  );
  return [
    ...(block === undefined ? [] : [toNoFormat(`\n${block}\n`)]),
    ...(sentence.length === 0 ? [] : [sentence.join("")]),
    `Errata: [${digest}|${toMarkedUrl(text)}]`,
  ].join("\n\n");
}

function toNoFormat(text: string): string {
  return `{noformat}${text.replace(/\{(?=noformat)/gi, "{\u200b")}{noformat}`;
}

function toShownCode(text: string): string {
  return toInertLine(text, 200, "(nothing)");
}
