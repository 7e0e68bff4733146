/**
 * The team's shop in Python, Ruby and Go: a program with the language's SDK, and a source file with
 * mistakes. The tests run it as it is in `programs`, and after an edit of that file.
 */
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect } from "vitest";
import type { Report } from "../../../src/core/report.ts";
import type { Errata } from "../errata.ts";
import { findCommand, GO_ENV, type Language } from "./installed-sdks.ts";

/** The value of the credentials in the requests that the shop receives. */
export const TILL_SECRET = "qT9zr4Kx81";

/** A shop that runs beside Errata. */
export interface Shop {
  /** False if the SDK is not installed. Every other member then fails. */
  readonly isInstalled: boolean;
  /** Makes the mistake with this order; resolves to the stored report. */
  readonly fail: (mistake: string, order: number) => Promise<Report>;
  /** The same after an edit that moves every line of the source file. */
  readonly failAfterEdit: (mistake: string, order: number) => Promise<Report>;
}

interface Source {
  /** The folder in `programs`. */
  readonly folder: string;
  /** The file with the mistakes. */
  readonly file: string;
  /** Begins a function. The edit inserts a comment above it. */
  readonly definition: RegExp;
  readonly comment: string;
  /** Arguments of the language's command that compile the program in its folder. */
  readonly build?: readonly string[];
  /** The program, in its folder, and its first arguments. Undefined is the language's command. */
  readonly program?: string;
  readonly args: readonly string[];
}

const SOURCES: Readonly<Record<Language, Source>> = {
  Python: {
    folder: "shop-python",
    file: "orders.py",
    definition: /^( *)(?=(?:async )?def )/gm,
    comment: "# Edited.",
    args: ["main.py"],
  },
  Ruby: {
    folder: "shop-ruby",
    file: "lib/orders.rb",
    definition: /^( *)(?=def )/gm,
    comment: "# Edited.",
    args: ["main.rb"],
  },
  Go: {
    folder: "shop-go",
    file: "orders.go",
    definition: /^()(?=func )/gm,
    comment: "// Edited.",
    build: ["build", "-o", "shop", "."],
    program: "shop",
    args: [],
  },
};

const timeout = 30_000;
/** Since 1.20, Go has no compiled standard library, so the first build compiles it. */
const buildTimeout = 200_000;
const programs = fileURLToPath(new URL("../programs", import.meta.url));
const runFile = promisify(execFile);

/** Copies the shop for all tests of a file; it reports by the DSN of servers. */
export function openShop(language: Language, errata: Errata): Shop {
  const { folder: name, file, definition, comment, build, program, args } = SOURCES[language];
  const command = findCommand(language);
  const { PATH } = process.env;
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(fileURLToPath(new URL("../.builds-", import.meta.url)));
    cpSync(join(programs, name), folder, { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const compile = async () => {
    if (build === undefined || command === undefined) return;
    const env = { PATH, ...GO_ENV };
    await runFile(command, build, { cwd: folder, env, timeout: buildTimeout });
  };
  const write = async (isEdited: boolean) => {
    const source = readFileSync(join(programs, name, file), "utf8");
    const edited = source.replace(definition, (indent) => `${indent}${comment}\n\n${indent}`);
    writeFileSync(join(folder, file), isEdited ? edited : source);
    await compile();
  };
  const run = async (mistake: string, order: number) => {
    const env = {
      PATH,
      SENTRY_DSN: errata.serverDsn,
      SENTRY_RELEASE: "shop@7",
      SENTRY_ENVIRONMENT: "staging",
      TILL_SECRET,
    };
    const path = program === undefined ? (command ?? "") : join(folder, program);
    const options = { cwd: folder, env, timeout };
    const { stdout, stderr } = await runFile(path, [...args, mistake, String(order)], options);
    const id = /^event ([0-9a-f]{32})$/m.exec(stdout)?.[1];
    expect(id, `the event among ${stdout}${stderr}`).toBeDefined();
    return (await errata.find(id ?? "")).report;
  };

  let written: { isEdited: boolean; done: Promise<void> } | undefined;
  const fail = async (isEdited: boolean, mistake: string, order: number) => {
    if (written?.isEdited !== isEdited) written = { isEdited, done: write(isEdited) };
    await written.done;
    return run(mistake, order);
  };
  return {
    isInstalled: command !== undefined,
    fail: (mistake, order) => fail(false, mistake, order),
    failAfterEdit: (mistake, order) => fail(true, mistake, order),
  };
}
