/** The languages that are colored, and how their strings, comments and words look. Pure. */

/** The parts of a language's syntax that the tokenizer needs. */
export interface Language {
  /** Begin a comment that ends with the line. */
  readonly lineComments: readonly string[];
  /** Pairs that may span lines. */
  readonly blocks: readonly Block[];
  /** Strings that end with the line at the latest. */
  readonly quotes: readonly string[];
  readonly hasRegExp: boolean;
  readonly keywords: ReadonlySet<string>;
}

/** A comment or string from `open` to `close`. In a string with escapes, `\` hides `close`. */
interface Block {
  readonly open: string;
  readonly close: string;
  readonly kind: "comment" | "string";
  readonly hasEscapes?: true;
}

const SLASH_COMMENT: Block = { open: "/*", close: "*/", kind: "comment" };

function splitWords(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

const JAVASCRIPT: Language = {
  lineComments: ["//"],
  blocks: [SLASH_COMMENT, { open: "`", close: "`", kind: "string", hasEscapes: true }],
  quotes: ['"', "'"],
  hasRegExp: true,
  keywords: splitWords(
    "abstract as async await break case catch class const continue debugger declare default delete do else enum export extends false finally for from function get if implements import in infer instanceof interface is keyof let namespace new null of private protected public readonly return satisfies set static super switch this throw true try type typeof undefined var void while with yield",
  ),
};

const PYTHON: Language = {
  lineComments: ["#"],
  blocks: [
    { open: '"""', close: '"""', kind: "string", hasEscapes: true },
    { open: "'''", close: "'''", kind: "string", hasEscapes: true },
  ],
  quotes: ['"', "'"],
  hasRegExp: false,
  keywords: splitWords(
    "False None True and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield",
  ),
};

const RUBY: Language = {
  lineComments: ["#"],
  blocks: [],
  quotes: ['"', "'", "`"],
  hasRegExp: true,
  keywords: splitWords(
    "BEGIN END alias and begin break case class def defined do else elsif end ensure false for if in module next nil not or private protected public raise redo require rescue retry return self super then true undef unless until when while yield",
  ),
};

const GO: Language = {
  lineComments: ["//"],
  blocks: [SLASH_COMMENT, { open: "`", close: "`", kind: "string" }],
  quotes: ['"', "'"],
  hasRegExp: false,
  keywords: splitWords(
    "break case chan const continue default defer else fallthrough false for func go goto if import interface iota map nil package range return select struct switch true type var",
  ),
};

const PHP: Language = {
  lineComments: ["//", "#"],
  blocks: [SLASH_COMMENT],
  quotes: ['"', "'", "`"],
  hasRegExp: false,
  keywords: splitWords(
    "abstract and array as break callable case catch class clone const continue declare default do echo else elseif empty enum extends false final finally fn for foreach function global if implements include instanceof insteadof interface isset list match namespace new null or print private protected public readonly require require_once return static switch this throw trait true try unset use var while xor yield",
  ),
};

const JAVA: Language = {
  lineComments: ["//"],
  blocks: [SLASH_COMMENT, { open: '"""', close: '"""', kind: "string", hasEscapes: true }],
  quotes: ['"', "'"],
  hasRegExp: false,
  keywords: splitWords(
    "abstract assert boolean break byte case catch char class const continue default do double else enum extends false final finally float for fun goto if implements import instanceof int interface internal is long native new null object override package permits private protected public record return sealed short static strictfp super switch synchronized this throw throws transient true try val var void volatile when while yield",
  ),
};

const JSON_LANGUAGE: Language = {
  lineComments: [],
  blocks: [],
  quotes: ['"'],
  hasRegExp: false,
  keywords: splitWords("false null true"),
};

const SHELL: Language = {
  lineComments: ["#"],
  blocks: [],
  quotes: ['"', "'"],
  hasRegExp: false,
  keywords: splitWords(
    "case curl do done echo elif else esac exit export fi for function if in npm npx set then while",
  ),
};

const LANGUAGES: ReadonlyMap<string, Language> = new Map(
  (
    [
      ["js jsx mjs cjs ts tsx mts cts vue svelte astro", JAVASCRIPT],
      ["py pyi", PYTHON],
      ["rb erb rake", RUBY],
      ["go", GO],
      ["php", PHP],
      ["java kt kts scala cs groovy", JAVA],
      ["json", JSON_LANGUAGE],
      ["sh bash", SHELL],
    ] as const
  ).flatMap(([extensions, language]) => extensions.split(" ").map((one) => [one, language])),
);

const EXTENSION = /\.([a-z]{1,6})(?:[?#].{0,200})?$/i;

/** The language of a file by its name: `src/cart.tsx`, `app.js?v=2`; undefined if unknown. */
export function findLanguage(file: string | undefined): Language | undefined {
  const [, extension = ""] = EXTENSION.exec(file?.slice(-260) ?? "") ?? [];
  return LANGUAGES.get(extension.toLowerCase());
}
