// `npm start`: data with the tables of another version stops the start with a message.

import { execSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { keepSchema, readSchema } from "../../../.tools/local/schema.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "errata-schema-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const schema = { "log/log-table.ts": "a", "index/issue-table.ts": "b" };
const changed = { ...schema, "index/issue-table.ts": "c" };
const addData = () => {
  for (const part of ["objects", "kv"]) mkdirSync(join(folder, part));
  writeFileSync(join(folder, "key"), "k");
};

describe("the schema of local data", () => {
  it("is recorded at the first start, and accepted at the next, also with new tables", () => {
    expect(keepSchema(folder, schema, "ask")).toBeUndefined();
    addData();
    expect(keepSchema(folder, schema, "ask")).toBeUndefined();
    expect(keepSchema(folder, { ...schema, "new-table.ts": "d" }, "ask")).toBeUndefined();
  });

  it("stops the start if a table has changed, and says what to do", () => {
    keepSchema(folder, schema, "ask");
    addData();
    for (let round = 0; round < 2; round++) {
      const problem = keepSchema(folder, changed, "ask");
      expect(problem).toContain("index/issue-table.ts");
      expect(problem).not.toContain("log-table");
      expect(problem).toContain("npm start -- --reset");
    }
    expect(existsSync(join(folder, "objects"))).toBe(true);
  });

  it.each([
    ["no record", () => undefined],
    ["a record that was cut off", () => writeFileSync(join(folder, "schema.json"), "{")],
  ])("stops the start if data has %s", (_, writeRecord) => {
    addData();
    writeRecord();
    expect(keepSchema(folder, schema, "ask")).toContain("another version of Errata");
    expect(keepSchema(folder, schema, "keep")).toBeUndefined();
    expect(keepSchema(folder, schema, "ask")).toBeUndefined();
    expect(existsSync(join(folder, "objects"))).toBe(true);
  });

  it("changes with `--reset`, which removes the data and keeps the keys", () => {
    keepSchema(folder, schema, "ask");
    addData();
    expect(keepSchema(folder, changed, "reset")).toBeUndefined();
    expect(existsSync(join(folder, "objects"))).toBe(false);
    expect(readFileSync(join(folder, "key"), "utf8")).toBe("k");
    expect(keepSchema(folder, changed, "ask")).toBeUndefined();
  });

  it("does not remove data of the same version", () => {
    keepSchema(folder, schema, "ask");
    addData();
    keepSchema(folder, schema, "reset");
    expect(existsSync(join(folder, "objects"))).toBe(true);
  });
});

describe("the tables of the sources", () => {
  it("are those of SQL statements, whatever the comments and spaces around them", () => {
    const write = (text: string) => writeFileSync(join(folder, "a-table.ts"), text);
    write(
      "/** A table. */\nsql.exec(`CREATE TABLE IF NOT EXISTS a(\n  n INTEGER)`);\nconst x = 1;",
    );
    const first = readSchema(folder);
    write("// Other words.\nsql.exec(`CREATE TABLE IF NOT EXISTS a( n INTEGER)`);\nconst y = 2;");
    expect(readSchema(folder)).toEqual(first);
    write("sql.exec(`CREATE TABLE IF NOT EXISTS a( n TEXT)`);");
    expect(readSchema(folder)).not.toEqual(first);
  });

  it("include lists of columns, whatever else is in their file", () => {
    const write = (type: string, rest: string) =>
      writeFileSync(
        join(folder, "a-columns.ts"),
        `const COLUMNS = {\n  n: "${type}",\n} as const;\n${rest}`,
      );
    write("INTEGER", "");
    const first = readSchema(folder);
    write("INTEGER", "export const DAY_MS = 86_400_000;\n");
    expect(readSchema(folder)).toEqual(first);
    write("TEXT", "");
    expect(readSchema(folder)).not.toEqual(first);
  });

  it("include those of the index, the log and the alerts", () => {
    const files = Object.keys(readSchema("src/store"));
    for (const part of ["issue-columns.ts", "issue-table.ts", "log-table.ts", "inbox-table.ts"])
      expect(files.some((file) => file.endsWith(part))).toBe(true);
  });
});

it("npm passes the answer to the command", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const command = `${scripts.start} --reset`.replaceAll("node ", "echo ");
  expect(execSync(command, { encoding: "utf8" })).toContain("start --reset");
});
