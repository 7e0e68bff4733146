/** Counts the reports of an app's issues over all tests of a file, so that none is made unseen. */

import { expect } from "vitest";
import type { Report } from "../../../src/core/report.ts";
import { eventually } from "../../support/eventually.ts";
import type { Errata } from "../errata.ts";
import { readReports } from "./app.ts";

interface Counts {
  readonly server: number;
  readonly browser: number;
}

/** The reports that the tests of a file expect. */
export class ReportCounts {
  readonly #errata: Errata;
  readonly #counts = new Map<string, Counts>();

  constructor(errata: Errata) {
    this.#errata = errata;
  }

  /**
   * The newest report of the server, as soon as the issue has these reports more than before: one
   * of the server, unless said otherwise.
   */
  async readNext(digest: string | null | undefined, more: Partial<Counts> = {}) {
    const code = digest ?? "no digest";
    const { server, browser } = this.#counts.get(code) ?? { server: 0, browser: 0 };
    const now = { server: server + (more.server ?? 1), browser: browser + (more.browser ?? 0) };
    this.#counts.set(code, now);
    const reports = await readReports(this.#errata, code, now);
    return reports.find(({ side }) => side === "server");
  }

  /** The report of the browser alone, as soon as there is an issue that was not known. */
  async readNew(): Promise<Report | undefined> {
    const digest = await eventually(async () => {
      const unknown = (await this.#list()).filter((one) => !this.#counts.has(one));
      expect(unknown).toHaveLength(1);
      return unknown[0] as string;
    });
    this.#counts.set(digest, { server: 0, browser: 1 });
    const [report] = await readReports(this.#errata, digest, { server: 0, browser: 1 });
    return report;
  }

  /** Resolves if there is no issue and no report besides those that were read. */
  async expectNoOthers(): Promise<void> {
    expect((await this.#list()).toSorted()).toEqual([...this.#counts.keys()].toSorted());
    for (const [digest, counts] of this.#counts) await readReports(this.#errata, digest, counts);
  }

  async #list(): Promise<readonly string[]> {
    const { issues } = (await this.#errata.json("/issues")) as { issues: { digest: string }[] };
    return issues.map(({ digest }) => digest);
  }
}

/**
 * By how many milliseconds a response is later than another one: the median of 30, after 10 to warm
 * up. They alternate, because the load of the machine changes.
 */
export async function measureDelay(
  ask: () => Promise<Response>,
  askOther: () => Promise<Response>,
): Promise<number> {
  const delays: number[] = [];
  for (let round = 0; round < 40; round++)
    delays.push((await measure(ask)) - (await measure(askOther)));
  return delays.slice(10).toSorted((a, b) => a - b)[15] ?? Number.NaN;
}

async function measure(ask: () => Promise<Response>): Promise<number> {
  const start = performance.now();
  await (await ask()).text();
  return performance.now() - start;
}
