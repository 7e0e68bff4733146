/** A comment: code, links and lists of a parsed tree. No text becomes markup. */
import { type Block, type Inline, parseMarkdown } from "../../../core/comment/parse-markdown.ts";
import { toIssueUrl } from "../../urls/issue-urls.ts";
import { CodeBlock } from "../code/code-tokens.tsx";
import { DeskLink } from "../desk-context.tsx";

/** The text as blocks. Links lead to https only, and digests to their issues. */
export function CommentText({ text }: { text: string }) {
  return (
    <div className="comment-text">
      {parseMarkdown(text).map((block, index) => (
        <BlockElement key={index} block={block} />
      ))}
    </div>
  );
}

function BlockElement({ block }: { block: Block }) {
  if (block.kind === "code") return <CodeBlock code={block.text} file={`a.${block.language}`} />;
  if (block.kind === "paragraph") {
    return (
      <p dir="auto">
        {block.lines.map((line, index) => (
          <span key={index}>
            {index > 0 && <br />}
            <Inlines parts={line} />
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
          <Inlines parts={item} />
        </li>
      ))}
    </List>
  );
}

function Inlines({ parts }: { parts: readonly Inline[] }) {
  return parts.map((part, index) => <InlineElement key={index} part={part} />);
}

function InlineElement({ part }: { part: Inline }) {
  switch (part.kind) {
    case "text":
      return part.text;
    case "code":
      return <code>{part.text}</code>;
    case "bold":
      return (
        <b>
          <Inlines parts={part.parts} />
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
