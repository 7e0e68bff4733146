/**
 * Runs axe-core in a page of the product. The test evaluates it, so the page's policy stays
 * unchanged.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The violations that axe finds, one line each: the rule, its impact, and the elements. */
export async function findAxeViolations(page: Page): Promise<readonly string[]> {
  await page.evaluate(source);
  const results = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })");
  const { violations } = results as {
    violations: { id: string; impact: string; nodes: { html: string }[] }[];
  };
  return violations.map(
    ({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map(({ html }) => html).join(" ")}`,
  );
}
