/** Compares declared tables with a database, and checks the rules of migrations without data. */
import type { Schema } from "#src/store/sqlite/database.ts";
import { toMigrationStatements } from "#src/store/sqlite/table.ts";

const OWN_TABLES = ["schema_state", "schema_backfill"];

/** A table or an index as text: names, types, keys and conditions, in no order of columns. */
export function describeDatabase(sql: SqlStorage): readonly string[] {
  const tables = sql
    .exec<{ name: string; type: string }>("SELECT name, type FROM pragma_table_list")
    .toArray()
    .filter(({ name, type }) => type !== "shadow" && !/^(?:_cf_|sqlite_)/.test(name))
    .filter(({ name }) => !OWN_TABLES.includes(name));
  const indexes = sql
    .exec<{ tbl_name: string; sql: string }>(
      "SELECT tbl_name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL",
    )
    .toArray();
  return [
    ...tables.map(({ name, type }) => `${type} ${name}(${listColumns(sql, name).join(", ")})`),
    ...indexes.map((index) => index.sql.replaceAll(/\s+/g, " ").replace("IF NOT EXISTS ", "")),
  ].sort();
}

function listColumns(sql: SqlStorage, table: string): readonly string[] {
  return sql
    .exec<{ name: string; type: string; notnull: number; dflt_value: string | null; pk: number }>(
      'SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?)',
      table,
    )
    .toArray()
    .map(({ name, type, notnull, dflt_value: byDefault, pk }) =>
      [name, type, notnull, byDefault ?? "", pk].join(" "),
    )
    .sort();
}

/** The names of declared tables and indexes that are missing, and of others. */
export function findUndeclared(sql: SqlStorage, { tables }: Schema): readonly string[] {
  const declared = tables.flatMap(({ name, columns, indexes, fts }) => [
    fts === undefined ? `${name}(${Object.keys(columns).sort().join(", ")})` : name,
    ...Object.keys(indexes),
  ]);
  const found = describeDatabase(sql).flatMap((one) => {
    const index = /^CREATE (?:UNIQUE )?INDEX (\w+)/.exec(one)?.[1];
    if (index !== undefined) return index;
    const [, type, name, columns = ""] = /^(\w+) (\w+)\((.*)\)$/.exec(one) ?? [];
    if (type === "virtual") return name ?? "";
    return `${name}(${columns
      .split(", ")
      .map((column) => column.split(" ")[0])
      .sort()
      .join(", ")})`;
  });
  const missing = declared.filter((name) => !found.includes(name));
  return [...missing, ...found.filter((name) => !declared.includes(name))];
}

/**
 * The rules that migrations break. `released` has the version of each release: code of a release
 * must still work with the data of the next one.
 */
export function checkMigrations(schema: Schema, released: readonly number[]): readonly string[] {
  const { tables, migrations } = schema;
  return migrations.flatMap(({ id, oldest = 1 }, n) => {
    const problems: string[] = [];
    if (id !== n + 1) problems.push(`is number ${n + 1}`);
    const before = Math.max(1, ...released.filter((version) => version < id));
    if (oldest > before) problems.push(`code of version ${before} must still work`);
    if (id > 1) {
      for (const statement of toMigrationStatements(tables, id)) {
        const name = /^(?:ALTER TABLE (\w+)|CREATE .*INDEX IF NOT EXISTS \w+ ON (\w+))/.exec(
          statement,
        );
        const changed = tables.find((one) => one.name === (name?.[1] ?? name?.[2]));
        if (changed === undefined || changed.since === id) continue;
        const isSafe =
          /^ALTER TABLE \w+ ADD COLUMN (?!.*\b(?:CHECK|REFERENCES|NOT NULL|STORED)\b)/.test(
            statement,
          ) ||
          (/WHERE shape >= \d+$/.test(statement) && !changed.isFrozen);
        if ((changed.isBig || changed.isFrozen) && !isSafe) problems.push(statement);
      }
    }
    return problems.map((problem) => `${schema.object} migration ${id}: ${problem}`);
  });
}
