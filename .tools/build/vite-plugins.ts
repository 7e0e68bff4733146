// The Vite plugins of the build, besides that of the documentation.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Manifest, type Plugin, runnerImport } from "vite";
import { listFiles } from "../command/list-files.ts";
import { root } from "../install.mjs";
import { packCli } from "./cli.ts";
import { packLibrary } from "./library.ts";

/**
 * Vite loads style sheets and further chunks before a chunk, with a helper. There is only one style
 * sheet, and no chunk needs others, so a plain import saves half a kilobyte.
 */
export const withoutPreloading: Plugin = {
  name: "without-preloading",
  enforce: "pre",
  load: (id) =>
    id === "\0vite/preload-helper.js" ? "export const __vitePreload = (load) => load();" : null,
};

/**
 * Writes the hashed names of the files that the Worker links, because the whole manifest would be in
 * its bundle: `fileName` beside the manifest, with `{"src/ui/style.css":"assets/style-CAlFI0Zx.css"}`.
 */
export function writeAssetNames(fileName: string, sources: readonly string[]): Plugin {
  return {
    name: "asset-names",
    writeBundle({ dir = "" }) {
      const folder = join(dir, ".vite");
      const text = readFileSync(join(folder, "manifest.json"), "utf8");
      const manifest = JSON.parse(text) as Manifest;
      const names = sources.map((source) => {
        const file = manifest[source]?.file;
        if (file === undefined) throw new Error(`The manifest does not name ${source}.`);
        return [source, file] as const;
      });
      writeFileSync(join(folder, fileName), JSON.stringify(Object.fromEntries(names)));
    },
  };
}

/**
 * Writes the entry `name` to `fileName` as a classic script, with which the Worker responds. Pages of
 * other origins load it, perhaps twice, so it is wrapped in a function. The entry must not import
 * others.
 */
export function createClassicScript(name: string, fileName: string): Plugin {
  return {
    name: "classic-script",
    generateBundle(_, bundle) {
      const found = Object.values(bundle).find(
        (file) => file.type === "chunk" && file.isEntry && file.name === name,
      );
      if (found?.type !== "chunk" || found.imports.length > 0 || found.exports.length > 0)
        throw new Error(`The entry ${name} is missing, or has imports or exports.`);
      delete bundle[found.fileName];
      this.emitFile({ type: "asset", fileName, source: `(()=>{${found.code.trim()}})();\n` });
    },
  };
}

/** Writes data that the Worker reads when it needs them. */
export function writeData(fileName: string, data: unknown): Plugin {
  return {
    name: "write-data",
    generateBundle() {
      this.emitFile({ type: "asset", fileName, source: JSON.stringify(data) });
    },
  };
}

/** Writes the description of the API, whose module Vite compiles: it has the types of the Worker. */
export const writeOpenApi: Plugin = {
  name: "write-openapi",
  async generateBundle() {
    const file = join(root, "src/http/api/openapi.ts");
    const { module } = await runnerImport<{ createOpenApi: () => object }>(file, { root });
    const source = JSON.stringify(module.createOpenApi());
    this.emitFile({ type: "asset", fileName: "openapi.json", source });
  },
};

/** Moves the source maps into `folder`, because the client's files are public. */
export function separateMaps(folder: string): Plugin {
  return {
    name: "separate-maps",
    enforce: "post",
    generateBundle(_, bundle) {
      rmSync(folder, { recursive: true, force: true });
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type !== "asset" || !name.endsWith(".map")) continue;
        const path = join(folder, name);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, file.source);
        delete bundle[name];
      }
    },
  };
}

/**
 * Adds the packages that are installed from the deployment: `/errata.tgz` for applications, and
 * `/errata-cli.tgz`, the command.
 */
export const addPackages: Plugin = {
  name: "packages",
  async writeBundle({ dir = "" }) {
    writeFileSync(join(dir, "errata.tgz"), await packLibrary());
    writeFileSync(join(dir, "errata-cli.tgz"), await packCli());
  },
};

/** The files and folders that decide what the build contains. */
const SOURCES = ["src", ".tools/build", "package-lock.json", "wrangler.toml"];
const HASH_CHARS = 12;

/**
 * Names the build: writes the release of Errata's own errors to `fileName` beside the manifest, as
 * `{"release":"errata@0.1.0+3f9c0a51b2d4"}`. All deployed versions of the same sources have the same
 * release, so their source maps are uploaded once.
 */
export function writeRelease(fileName: string): Plugin {
  return {
    name: "source-release",
    writeBundle({ dir = "" }) {
      const text = JSON.stringify({ release: formatRelease() });
      writeFileSync(join(dir, ".vite", fileName), text);
    },
  };
}

/** The version in package.json and a hash of the sources: `errata@0.1.0+3f9c0a51b2d4`. */
function formatRelease(): string {
  const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const hash = createHash("sha256");
  for (const path of SOURCES.flatMap(listSources).sort()) {
    const bytes = readFileSync(join(root, path));
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return `${name}@${version}+${hash.digest("hex").slice(0, HASH_CHARS)}`;
}

/** The paths of the file, or of the files in the folder. */
function listSources(path: string): string[] {
  const start = join(root, path);
  if (!statSync(start).isDirectory()) return [path];
  return listFiles(start).map((file) => `${path}/${file}`);
}

/** The tables of Unicode in the parser of JavaScript, and what uses them. */
const CODE_TABLES = /^var (?:astralIdentifier|nonASCIIidentifier)\w* = .*;$/gm;
const CODE_SETS = [
  "var nonASCIIidentifierStart = /\\p{ID_Start}/u;",
  "var nonASCIIidentifier = /[\\p{ID_Continue}\\u200c\\u200d]/u;",
  "var astralIdentifierStartCodes = nonASCIIidentifierStart;",
  "var astralIdentifierCodes = nonASCIIidentifier;",
].join(" ");
const ASTRAL_SEARCH = /function isInAstralSet\(code, set\) \{[\s\S]*?\n\}/;
/** At the end of a text, the code is NaN. */
const ASTRAL_TEST =
  "function isInAstralSet(code, set) { return code <= 0x10ffff && set.test(String.fromCodePoint(code)) }";
const ENTITIES = /var xhtml_default = \{[^{}]*\n\};/;
const MESSAGES = /var (?:TypeScript|Decorators)Error = \{[\s\S]*?\n\};/g;
/** The checks of regular expressions, with the names of Unicode's properties. */
const REGEXP_CHECKS =
  /\/\/ This file contains Unicode properties [\s\S]*?(?=\/\/ Object type used to represent tokens\.)/;
const NO_REGEXP_CHECKS = [
  "var RegExpValidationState = function () {};",
  "RegExpValidationState.prototype.reset = function () {};",
  "Parser.prototype.validateRegExpFlags = function () {};",
  "Parser.prototype.validateRegExpPattern = function () {};",
].join(" ");
/** `this.raise(start, "The message")`. */
const RAISED = /(\braise(?:Recoverable)?\([^,()"`]+,\s*)(?:"[^"\n]*"|`[^`\n]*`)/g;

/**
 * Leaves out of the parsers of JavaScript, TypeScript and JSX what Errata does not need, because it
 * reads only the functions of a source: the names of HTML's entities, the messages of errors, and
 * the checks of regular expressions. The tables of Unicode become properties of regular expressions,
 * which the runtime has. All together take 17 kB. The build fails if a parser has no such parts.
 */
export const withoutParserTexts: Plugin = {
  name: "without-parser-texts",
  transform(code, id) {
    const short = removeTexts(code, id);
    return short === null ? null : { code: short, map: null };
  },
};

/** The code of a parser without the texts; null for other modules. */
function removeTexts(code: string, id: string): string | null {
  if (/\/node_modules\/acorn\//.test(id)) {
    if (!REGEXP_CHECKS.test(code))
      throw new Error("The parser of JavaScript has no such checks of regular expressions.");
    return shorten(
      takeRuntimeUnicode(code).replace(
        REGEXP_CHECKS,
        (checks) => NO_REGEXP_CHECKS + toLineEnds(checks),
      ),
    );
  }
  if (!id.includes("@sveltejs/acorn-typescript")) return null;
  if (!ENTITIES.test(code) || code.match(MESSAGES)?.length !== 2)
    throw new Error("The parser of TypeScript has no such tables of texts.");
  const short = code
    .replace(ENTITIES, (table) => `var xhtml_default = {};${toLineEnds(table)}`)
    .replace(MESSAGES, toLineEnds)
    .replace(/\b(?:TypeScript|Decorators)Error\.\w+(?=[,;)\s])/g, '""')
    // Those with values are functions.
    .replace(/\bTypeScriptError\.\w+\(/g, "String(");
  return shorten(short);
}

/** The parser of JavaScript with the runtime's tables of Unicode in place of its own. */
function takeRuntimeUnicode(code: string): string {
  if (code.match(CODE_TABLES)?.length !== 6 || !ASTRAL_SEARCH.test(code))
    throw new Error("The parser of JavaScript has no such tables of Unicode.");
  let isFirst = true;
  return code
    .replace(CODE_TABLES, () => {
      const sets = isFirst ? CODE_SETS : "";
      isFirst = false;
      return sets;
    })
    .replace(ASTRAL_SEARCH, (search) => ASTRAL_TEST + toLineEnds(search));
}

function shorten(code: string): string {
  return code.replace(RAISED, '$1""');
}

/** The same number of lines, so that the map stays valid. */
function toLineEnds(text: string): string {
  return "\n".repeat(text.split("\n").length - 1);
}
