/**
 * Runs axe-core in a page of the product. The test evaluates it, so the page's policy stays
 * unchanged.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rules whose result depends on the width and the color scheme, not on the markup alone. */
export const LAYOUT_RULES = ["color-contrast", "link-in-text-block", "target-size"];

/** The ids that two elements have. axe only finds those that another element refers to. */
const DUPLICATE_IDS = `[...document.querySelectorAll("[id]")]
  .map(({ id }) => id)
  .filter((id, at, ids) => ids.indexOf(id) !== at)`;

/**
 * The violations that axe finds, one line each: the rule, its impact, and the elements. By default
 * axe checks every rule. Every id that is not unique is a violation too.
 */
export async function findAxeViolations(
  page: Page,
  rules?: readonly string[],
): Promise<readonly string[]> {
  await page.evaluate(`if (globalThis.axe === undefined) { ${source} }`);
  const runOnly = rules === undefined ? undefined : { type: "rule", values: rules };
  const options = JSON.stringify({ resultTypes: ["violations"], runOnly });
  const results = await page.evaluate(`axe.run(document, ${options})`);
  const { violations } = results as {
    violations: { id: string; impact: string; nodes: { html: string }[] }[];
  };
  const duplicates = (await page.evaluate(DUPLICATE_IDS)) as readonly string[];
  return [
    ...violations.map(
      ({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map(({ html }) => html).join(" ")}`,
    ),
    ...duplicates.map((id) => `duplicate id: ${id}`),
  ];
}
