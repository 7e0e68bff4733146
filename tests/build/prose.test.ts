// Keeps the worst habits out of comments and documentation: long lines, sentences without a named
// subject ("What is rare is kept"), words that say less than the field's term, and names of files
// that were moved.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";

const MAX_COLUMNS = 100;
/** Files of applications, in examples. */
const EXAMPLES = new Set(["cart.ts", "cart.tsx", "index.ts", "instrumentation.ts", "password.ts"]);
const SOURCES = execFileSync("git", ["ls-files", "src", "tests", ".tools", "README.md"], {
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => /\.(ts|tsx|mjs|css|md)$/.test(file))
  .filter((file) => !/^tests\/(fixtures|clients\/next-app)\//.test(file))
  .filter((file) => file !== "tests/build/prose.test.ts");

interface Paragraph {
  readonly place: string;
  readonly text: string;
}

/** The comments of a source file, or the paragraphs of a Markdown file without code and tables. */
function readParagraphs(file: string): Paragraph[] {
  const text = readFileSync(file, "utf8");
  const isMarkdown = file.endsWith(".md");
  const paragraphs: { place: string; text: string }[] = [];
  let isInFence = false;
  let current: { place: string; text: string } | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    if (isMarkdown && line.startsWith("```")) isInFence = !isInFence;
    const words = isMarkdown ? readMarkdownLine(line, isInFence) : readCommentLine(line);
    if (words === null) current = undefined;
    else if (current) current.text += ` ${words}`;
    else {
      current = { place: `${file}:${index + 1}`, text: words };
      paragraphs.push(current);
    }
  }
  return paragraphs;
}

function readMarkdownLine(line: string, isInFence: boolean): string | null {
  const isProse = !isInFence && !/^\s*$|^(#|\||>|```)/.test(line);
  return isProse ? line.trim() : null;
}

function readCommentLine(line: string): string | null {
  const comment = /^\s*(?:\/\/|\/\*\*?|\*(?!\/)|\{\/\*)\s?(.*?)(?:\*\/\}?)?\s*$/.exec(line)?.[1];
  return comment === undefined || comment.trim() === "" ? null : comment.trim();
}

function splitSentences(text: string): string[] {
  return text.split(/(?<=[.!?])["')*]*\s+/);
}

const VAGUE_PEOPLE = /\b(somebody|nobody|whoever)\b/i;
const VAGUE_WORDS =
  /\b(made anew|told|any more|at hand|stands (in for|above|below)|mended|looked after|is away)\b/i;

const paragraphs = SOURCES.flatMap(readParagraphs);

/** The titles of tests that are on the line of their call. */
function readTitles(file: string): Paragraph[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line, index) => {
      const title = /^\s*(?:it|describe)\b[^"]*\("([^"]+)"/.exec(line)?.[1];
      return title === undefined ? [] : [{ place: `${file}:${index + 1}`, text: title }];
    });
}

/** The sentences that match, with their place. */
function findSentences(pattern: RegExp, texts: readonly Paragraph[] = paragraphs): string[] {
  return texts.flatMap(({ place, text }) =>
    splitSentences(text.replaceAll(/`[^`]*`/g, "`…`"))
      .filter((sentence) => pattern.test(sentence) && !sentence.endsWith("?"))
      .map((sentence) => `${place} ${sentence.slice(0, 120)}`),
  );
}

describe("comments and documentation", () => {
  it("have lines of at most 100 columns", () => {
    const long = SOURCES.filter((file) => /\.(ts|tsx|mjs|css)$/.test(file)).flatMap((file) =>
      readFileSync(file, "utf8")
        .split("\n")
        .map((line, index) => ({ line, place: `${file}:${index + 1}` }))
        .filter(({ line }) => line.length > MAX_COLUMNS && readCommentLine(line) !== null)
        .filter(({ line }) => !/https?:\/\/\S{60}/.test(line))
        .map(({ place }) => place),
    );
    expect(long).toEqual([]);
  });

  it("name the subject of a sentence instead of beginning with a headless clause", () => {
    expect(findSentences(/^(What|Who|Whoever|Whatever) (?!(to|if)\b)[a-z]/)).toEqual([]);
  });

  it("name people by their part: client, sender, member, operator, visitor, owner", () => {
    expect(findSentences(VAGUE_PEOPLE)).toEqual([]);
  });

  it("use the field's words for what the code does", () => {
    expect(findSentences(VAGUE_WORDS)).toEqual([]);
  });

  it("are complete in themselves: none ends with an ellipsis that the next one continues", () => {
    const open = paragraphs.filter(({ text }) => /\s…$/.test(text));
    expect(open.map(({ place }) => place)).toEqual([]);
  });

  it("name files of the sources that exist", () => {
    const names = new Set(SOURCES.map((file) => basename(file)));
    const unknown = SOURCES.flatMap((file) =>
      readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => file.endsWith(".md") || readCommentLine(line) !== null)
        .flatMap((line) => [...line.matchAll(/`(?:[\w.-]+\/)*([\w.-]+\.tsx?)`/g)])
        .flatMap(([, name = ""]) =>
          names.has(name) || EXAMPLES.has(name) ? [] : `${file} ${name}`,
        ),
    );
    expect(unknown).toEqual([]);
  });

  it("spell email without a dash, like the texts of the interface", () => {
    const spelled = SOURCES.filter((file) => !file.startsWith("src/core/grouping/v1/"))
      .flatMap((file) =>
        readFileSync(file, "utf8")
          .split("\n")
          .map((line, index) => ({ line, place: `${file}:${index + 1}` })),
      )
      .filter(({ line }) => /\be-mail\b/i.test(line));
    expect(spelled.map(({ place }) => place)).toEqual([]);
  });
});

describe("titles of tests", () => {
  const titles = SOURCES.filter((file) => /\.test\.tsx?$/.test(file)).flatMap(readTitles);

  it("name people by their part, and use the field's words", () => {
    expect(titles.length).toBeGreaterThan(3_000);
    expect(findSentences(VAGUE_PEOPLE, titles)).toEqual([]);
    expect(findSentences(VAGUE_WORDS, titles)).toEqual([]);
  });
});
