/** A comment: code, links and lists of a parsed tree. No text becomes markup. */
import { Fragment } from "react";
import { findMentions } from "../../../core/comment/mentions.ts";
import { type Block, type Inline, parseMarkdown } from "../../../core/comment/parse-markdown.ts";
import { toIssueUrl } from "../../urls/issue-urls.ts";
import { CodeBlock } from "../code/code-tokens.tsx";
import { DeskLink, useDesk } from "../desk-context.tsx";

/** The names of the members that a comment mentions. */
type Names = readonly string[];

/**
 * The text as blocks. Links lead to https only, and digests to their issues. `mentions` are the
 * members whom the server found in it.
 */
export function CommentText({ text, mentions = [] }: { text: string; mentions?: Names }) {
  return (
    <div className="comment-text">
      {parseMarkdown(text).map((block, index) => (
        <BlockElement key={index} block={block} names={mentions} />
      ))}
    </div>
  );
}

function BlockElement({ block, names }: { block: Block; names: Names }) {
  if (block.kind === "code") return <CodeBlock code={block.text} file={`a.${block.language}`} />;
  if (block.kind === "paragraph") {
    return (
      <p dir="auto">
        {block.lines.map((line, index) => (
          <span key={index}>
            {index > 0 && <br />}
            <Inlines parts={line} names={names} />
          </span>
        ))}
      </p>
    );
  }
  const List = block.isOrdered ? "ol" : "ul";
  return (
    <List dir="auto">
      {block.items.map((item, index) => (
        <li key={index}>
          <Inlines parts={item} names={names} />
        </li>
      ))}
    </List>
  );
}

function Inlines({ parts, names }: { parts: readonly Inline[]; names: Names }) {
  return parts.map((part, index) => <InlineElement key={index} part={part} names={names} />);
}

function InlineElement({ part, names }: { part: Inline; names: Names }) {
  switch (part.kind) {
    case "text":
      return <TextWithMentions text={part.text} names={names} />;
    case "code":
      return <code>{part.text}</code>;
    case "bold":
      return (
        <b>
          <Inlines parts={part.parts} names={names} />
        </b>
      );
    case "digest":
      return <DeskLink href={toIssueUrl(part.text)}>{part.text}</DeskLink>;
    case "link":
      return (
        <a href={part.url} rel="nofollow noopener noreferrer">
          {part.text}
        </a>
      );
  }
}

function TextWithMentions({ text, names }: { text: string; names: Names }) {
  const { ownAssignee } = useDesk();
  const mentions = findMentions(text, names);
  return (
    <>
      {mentions.map(({ start, end, name }, n) => (
        <Fragment key={start}>
          {text.slice(mentions[n - 1]?.end ?? 0, start)}
          <span className="mention" title={name} data-own={name === ownAssignee ? "" : undefined}>
            {text.slice(start, end)}
          </span>
        </Fragment>
      ))}
      {text.slice(mentions.at(-1)?.end ?? 0)}
    </>
  );
}
