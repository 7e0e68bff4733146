import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { openErrata } from "../errata.ts";
import { WITHOUT_ADAPTER } from "./bare.ts";
import { expectReportCount } from "./failing-app.ts";

const errata = openErrata();
const here = fileURLToPath(new URL(".", import.meta.url));
const folder = mkdtempSync(join(here, ".app-process-"));
cpSync(join(here, "process"), folder, { recursive: true });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** How a process ended, and what it printed. */
function end(way: string, variables: Readonly<Record<string, string>>): Promise<object> {
  const { NODE_OPTIONS: _, ...inherited } = process.env;
  const env = { ...inherited, ...variables };
  return new Promise((resolve) => {
    execFile(process.execPath, ["fail.js", way], { cwd: folder, env }, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, stdout, stderr });
    });
  });
}

const ENDS = [
  { way: "nothing handles an error", code: 1 },
  { way: "nothing handles a rejection", code: 1 },
  { way: "nothing handles a rejected text", code: 1 },
  { way: "the app logs errors and lives", code: 0 },
  { way: "the app logs rejections and lives", code: 0 },
  { way: "the app logs an error and ends", code: 3 },
  { way: "the app no longer listens to rejections", code: 1 },
];

describe("watchProcess of errata/node", () => {
  it.each(ENDS)("reports once, and the process ends as without it: $way", async ({ way, code }) => {
    const before = ENDS.findIndex((other) => other.way === way);
    const ended = await end(way, { ERRATA_DSN: errata.serverDsn });
    expect(ended).toMatchObject({ code });
    expect(ended).toEqual(await end(way, WITHOUT_ADAPTER));
    await expectReportCount(errata, before + 1);
  });

  it("changes nothing while Errata cannot be reached", async () => {
    const { way } = ENDS[0] ?? { way: "" };
    const ended = await end(way, { ERRATA_DSN: "http://errata_server_x@127.0.0.1:9/1" });
    expect(ended).toEqual(await end(way, WITHOUT_ADAPTER));
  });
});
