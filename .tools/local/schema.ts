// A record of the SQL tables of the local data. No version of Errata migrates the tables of
// another, and an object with older tables would fail only at its first query.

import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The hash of the tables of each source file, by the path of the file. */
export type Schema = Readonly<Record<string, string>>;

/** How to treat data with other tables: `ask` stops the start, `keep` uses it, `reset` deletes. */
export type OnOtherSchema = "ask" | "keep" | "reset";

/** The tables of the sources in a folder. */
export function readSchema(sourcePath: string): Schema {
  const files = globSync("**/*.ts", { cwd: sourcePath }).sort();
  const entries = files.map((file) => [file, listTables(join(sourcePath, file))] as const);
  return Object.fromEntries(
    entries
      .filter(([, tables]) => tables.length > 0)
      .map(([file, tables]) => [file, createHash("sha1").update(tables.join()).digest("hex")]),
  );
}

/**
 * Records the schema with the data of a folder. Returns a sentence for the user and changes nothing
 * if `otherwise` is `ask` and the data has other tables or is older than the record. The keys are
 * kept.
 */
export function keepSchema(
  statePath: string,
  schema: Schema,
  otherwise: OnOtherSchema,
): string | undefined {
  const file = join(statePath, "schema.json");
  const hasData = existsSync(join(statePath, "objects"));
  const stored = readRecord(file);
  const changed = Object.keys(schema).filter(
    (name) => stored?.[name] !== undefined && stored[name] !== schema[name],
  );
  const isOther = hasData && (changed.length > 0 || stored === undefined);
  if (isOther && otherwise === "ask") {
    const which = changed.length > 0 ? ` Other tables: ${changed.join(", ")}.` : "";
    return `The data in ${statePath} is of another version of Errata, which this one may not be able to read.${which}
Remove it with \`npm start -- --reset\` (the keys are kept), use it with \`npm start -- --keep\`, or set ERRATA_STATE to another folder.`;
  }
  if (isOther && otherwise === "reset") {
    for (const part of ["objects", "kv", "mail"])
      rmSync(join(statePath, part), { recursive: true, force: true });
  }
  mkdirSync(statePath, { recursive: true });
  writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`);
  return undefined;
}

/** The recorded schema; undefined if the file is missing, or cut off by a power failure. */
function readRecord(file: string): Schema | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** The statements of a file that create tables or indexes, and its lists of columns. */
function listTables(file: string): readonly string[] {
  const text = readFileSync(file, "utf8").replace(/^\s*(?:\/\/|\/?\*).*$/gm, "");
  const statements = text.match(/CREATE (?:VIRTUAL TABLE|TABLE|UNIQUE INDEX|INDEX)[^`;"]*/g) ?? [];
  const columns = text.match(/^(?:export )?const \w*COLUMNS = [^;]*/gm) ?? [];
  return [...statements, ...columns].map((one) => one.replace(/\s+/g, " "));
}
