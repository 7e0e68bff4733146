import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { openProduct } from "#support/browser/product.ts";

const product = openProduct();
const replay = fileURLToPath(new URL("../../.tools/replay.ts", import.meta.url));

it("every capture of a real client is accepted, and every error in them is found on the desk", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [replay], {
    env: { ...process.env, ERRATA_URL: product.url },
  });
  expect(stdout).toMatch(/\d+ captures: 0 refused, 0 with an error that was not found\.\s*$/);
  // The code on each captured Next.js page leads to the server's error.
  const next = stdout.split("\n").filter((line) => line.startsWith("| next."));
  expect(next.filter((line) => line.includes("Next.js digest"))).toHaveLength(2);
  for (const line of next)
    expect(line).toMatch(/no error boundary here|route handler failed|secret database/);
});
