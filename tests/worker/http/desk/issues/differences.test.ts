import { afterEach, describe, expect, it } from "vitest";
import { createUserSketch } from "#src/core/hyperloglog.ts";
import type { Report } from "#src/core/report.ts";
import { visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log } from "#support/store/store.ts";

afterEach(() => emptyStore());

const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1";
const OWN = "7F3K-Q2M9";
const OTHERS = ["8G4M-R3N0", "9H5N-S4P1", "AJ6P-T5Q2"];

let sent = 0;
/** Reports of an issue in a browser, each of another person. */
function inBrowser(digest: string, count: number, userAgent: string): readonly Report[] {
  return Array.from({ length: count }, () => {
    sent += 1;
    return createReport(sent, {
      ...{ digest, side: "browser", trust: "page", message: `fault of ${digest}` },
      request: { userAgent, url: "https://shop.example/cart" },
      userSketch: createUserSketch(crypto.getRandomValues(new Uint8Array(32))),
    });
  });
}

const reportOthers = () =>
  log.append(
    OTHERS.flatMap((digest) => [...inBrowser(digest, 18, CHROME), ...inBrowser(digest, 2, IPHONE)]),
  );

describe("what is different about an issue", () => {
  it("is on its page, with the shares of both and what was compared", async () => {
    await reportOthers();
    await log.append(inBrowser(OWN, 30, IPHONE));
    const { body } = await visit(`/d/${OWN}`);
    const [, section = ""] = /<h2 id="differences-heading">(.*?)<\/section>/s.exec(body) ?? [];
    const text = section
      .replace(/<!-- -->/g, "")
      .replace(/<[^>]*>/g, " ")
      .replace(/\s+/g, " ");
    expect(text).toMatch(/^What is different /);
    for (const row of ["Safari browser", "iOS os"]) expect(text).toContain(`${row} 100 % `);
    // Sixty reports of others do not say what is usual.
    expect(text).toContain("rare elsewhere");
    expect(text).not.toContain("usual");
    expect(text).toContain(
      "Compared with issues of the same days, by at most 100 reports of each.",
    );
  });

  it("is nothing for an issue like the others, or with few reports", async () => {
    await reportOthers();
    await log.append([...inBrowser(OWN, 18, CHROME), ...inBrowser(OWN, 3, IPHONE)]);
    expect((await visit(`/d/${OWN}`)).body).not.toContain("What is different");
    expect((await visit(`/d/${OTHERS[0]}`)).body).not.toContain("What is different");
  });
});
