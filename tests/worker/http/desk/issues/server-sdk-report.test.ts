/** The page of a report that an SDK for Python, Ruby or Go sent. */
import { afterEach, describe, expect, it } from "vitest";
import type { Trust } from "#src/core/trust/trust.ts";
import { createEventBody, sendAs } from "#support/http/send-as.ts";
import { visit } from "#support/http/visit.ts";
import { toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const FIELDS = {
  platform: "python",
  server_name: "web-7",
  contexts: { runtime: { name: "CPython", version: "3.13.1" } },
  modules: { django: "5.2.1" },
  exception: {
    values: [
      {
        type: "KeyError",
        value: "'sku'",
        stacktrace: {
          frames: [
            {
              ...{ filename: "shop/cart.py", function: "total", lineno: 7, in_app: true },
              vars: { basket: "'b-17'", password: "hunter2" },
            },
          ],
        },
      },
    ],
  },
};

async function readPage(trust: Trust): Promise<string> {
  const { outcomes } = await sendAs(trust, createEventBody(toReportId(1), "", FIELDS));
  const [outcome] = outcomes;
  const digest = outcome && "digest" in outcome ? outcome.digest : undefined;
  await projectStore.getFreshIssue(digest ?? "");
  return (await visit(`/d/${digest}?streaming=off`)).body;
}

describe("the page of an event with local variables", () => {
  it("shows them with a server key, scrubbed, and the server, its runtime and modules", async () => {
    const page = await readPage("server");
    for (const text of ["Local variables", "b-17", "web-7", "CPython", "django"])
      expect(page).toContain(text);
    expect(page).not.toContain("hunter2");
  });

  it("shows none with a public key", async () => {
    const page = await readPage("public");
    expect(page).toContain("shop/cart.py");
    expect(page).not.toMatch(/local variable|b-17|hunter2/i);
  });
});
