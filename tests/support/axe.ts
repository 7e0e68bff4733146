/** axe-core in a page of the product. It is evaluated by the test, so the page's policy stays as it is. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds, one line each: the rule, its weight, and where. */
export async function axeViolations(page: Page): Promise<readonly string[]> {
  await page.evaluate(source);
  const results = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })");
  const { violations } = results as {
    violations: { id: string; impact: string; nodes: { html: string }[] }[];
  };
  return violations.map(
    ({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map(({ html }) => html).join(" ")}`,
  );
}
