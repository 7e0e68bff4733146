import { afterEach, describe, expect, it } from "vitest";
import { lookUp } from "#src/operations/lookup.ts";
import type { ProjectStore } from "#src/store/client/project-store.ts";
import { replaceMethods } from "#support/replace-methods.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const DIGEST = "7F3K-Q2M9";

/** A project store that never responds, and its calls. */
function createSilentStore() {
  const calls: string[] = [];
  const hang = (call: string) => () => {
    calls.push(call);
    return new Promise<never>(() => undefined);
  };
  const store: ProjectStore = replaceMethods(projectStore, {
    getFreshIssue: hang("issue"),
    findIssuesByAlias: hang("aliases"),
  });
  return { store, calls };
}

describe("the lookup of a digest", () => {
  it("reads the digest and its possible aliases in parallel", () => {
    const { store, calls } = createSilentStore();
    void lookUp(store, DIGEST);
    expect(calls).toEqual(["issue", "aliases"]);
  });

  it("does not read the digest again if it was just read", () => {
    const { store, calls } = createSilentStore();
    void lookUp(store, DIGEST, { knownMissing: DIGEST });
    expect(calls).toEqual(["aliases"]);
  });
});

describe("public reports beside those of servers", () => {
  const EVIL = "NN8A-S8H6";
  const find = async (text: string) =>
    (await lookUp(projectStore, text)).matches.map(({ issue }) => issue.digest);

  it.each(["0123456789abcdef", "0123456789abcdef0123456789abcdef"])(
    "do not hide the server report with the Ray ID or trace %s",
    async (code) => {
      const isRayId = code.length === 16;
      await log.append([
        createReport(1, isRayId ? { side: "server", rayId: code } : { traceId: code }),
        createReport(2, { trust: "public", digest: EVIL, aliases: [code] }),
      ]);
      expect(await find(code)).toEqual([DIGEST]);
    },
  );

  it("do not add hits to a digest that a server reports later", async () => {
    const browser = { trust: "public", side: "browser" } as const;
    await log.append([createReport(1, { digest: EVIL, aliases: ["4242424242"] })]);
    await projectStore.getFreshIssue(EVIL);
    await log.append([createReport(2, { ...browser, aliases: ["4242424242"] })]);
    await projectStore.getFreshIssue(EVIL);
    expect(await find(DIGEST)).toEqual([EVIL]);
    await log.append([createReport(3)]);
    expect(await find(DIGEST)).toEqual([DIGEST]);
  });

  it("do not hide the only trusted issue at a URL", async () => {
    const request = { method: "GET", url: "https://shop.example/cart/checkout" };
    await log.append([
      createReport(1, { request }),
      createReport(2, { request, trust: "public", digest: EVIL }),
    ]);
    expect(await find("https://shop.example/cart/checkout")).toEqual([DIGEST]);
  });
});
