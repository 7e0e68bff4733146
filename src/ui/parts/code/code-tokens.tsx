/** Source code with its keywords, strings, comments and numbers colored. */
import { findLanguage } from "../../../core/code/language.ts";
import { type Token, tokenize } from "../../../core/code/tokenize.ts";

/** The tokens of one line; the style sheet colors them by `data-token`. */
export function CodeTokens({ tokens }: { tokens: readonly Token[] }) {
  return tokens.map(({ kind, text }, index) =>
    kind === "plain" ? (
      text
    ) : (
      <span key={index} data-token={kind}>
        {text}
      </span>
    ),
  );
}

/** A block of code in the language of the file name; without colors if the language is unknown. */
export function CodeBlock({ code, file }: { code: string; file: string }) {
  const lines = tokenize(code.split("\n"), findLanguage(file));
  return (
    <pre>
      <code>
        {lines.map((tokens, index) => (
          <span key={index}>
            <CodeTokens tokens={tokens} />
            {index < lines.length - 1 && "\n"}
          </span>
        ))}
      </code>
    </pre>
  );
}
