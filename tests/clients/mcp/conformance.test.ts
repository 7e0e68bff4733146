// The conformance suite of the Model Context Protocol, in both eras. The scenarios that are expected
// to fail are in `expected-failures-….yml`; any other failure, and any success of these, fails.

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { serve } from "../../../.tools/local/serve.ts";

const toPath = (name: string) => fileURLToPath(new URL(name, import.meta.url));
let served: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  // Otherwise Errata is not set up, which it says to hosts that are not local too.
  const vars = { ERRATA_SETUP: `${"0".repeat(64)}.9999999999999` };
  served = await serve({ vars, isLocalOpen: true, isLimited: false });
});
afterAll(() => served?.stop());
const run = promisify(execFile);
const results = mkdtempSync(join(tmpdir(), "errata-conformance-"));
afterAll(() => rmSync(results, { recursive: true, force: true }));
const suite = toPath("../node_modules/@modelcontextprotocol/conformance/dist/index.js");

it.each(["2026-07-28", "2025-11-25"])(
  "the suite passes for %s, apart from its own fixtures",
  async (revision) => {
    const baseline = toPath(`expected-failures-${revision}.yml`);
    const { stdout } = await run(process.execPath, [
      suite,
      ...["server", "--url", `${served.url}/mcp`, "--requirements", revision],
      ...["--expected-failures", baseline, "--output-dir", results],
    ]).catch((failure: { readonly stdout: string }) => {
      throw new Error(failure.stdout.slice(-4_000));
    });
    expect(stdout).toContain("tools-list");
  },
  240_000,
);
