/** The list of issues in the browser, and errors that are reported to fill it. */
import type { Locator, Page } from "playwright-core";

/** Words that grouping does not treat as variable parts. */
export const TOPICS = ["cart", "voucher", "address", "currency"];

/** Messages of different issues, one for each topic. */
export function createMessages(one: string): readonly string[] {
  return TOPICS.map((topic) => `no ${topic} in ${one}`);
}

/**
 * Reports one error per message, all of one release, to the product at `url`. Resolves to their
 * digests.
 */
export async function reportErrors(
  url: string,
  release: string,
  messages: readonly string[],
): Promise<readonly string[]> {
  const digests: string[] = [];
  for (const message of messages) {
    const body = JSON.stringify({ errata: 1, how: "uncaught", type: "Error", message, release });
    const response = await fetch(`${url}/monitoring`, { method: "POST", body });
    digests.push(((await response.json()) as { digest: string }).digest);
  }
  return digests;
}

/** The rows of the list. */
export function findRows(page: Page): Locator {
  return page.locator(".issue-row");
}

/** The digests of the rows in their order. */
export function readDigests(page: Page): Promise<string[]> {
  return page.locator(".issue-row .issue-context code").allTextContents();
}
