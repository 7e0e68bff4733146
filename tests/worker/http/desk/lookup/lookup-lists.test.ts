import { afterEach, describe, expect, it } from "vitest";
import {
  asJson,
  createFirstReport,
  encodeFields,
  postToList,
  toDigest,
} from "#support/http/issue-list.ts";
import { visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

it("a lookup with several matches is a list to act on, by state, with the text marked", async () => {
  await log.append([createFirstReport(1), createFirstReport(2), createFirstReport(3)]);
  await projectStore.decide(toDigest(2), { state: "archived" });
  const lookUp = async (state: string) =>
    (await visit(`/lookup?q=fault${state}&streaming=off`)).body;
  const all = await lookUp("");
  expect(all.match(/class="list-row issue-row"/g)).toHaveLength(3);
  expect(all).toContain("<mark>fault</mark> 1");
  expect(all).toContain('name="returnTo" value="/lookup?q=fault"');
  const muted = await lookUp("&state=archived");
  expect(muted.match(/class="list-row issue-row"/g)).toHaveLength(1);
  const { response } = await postToList(
    "/issues/state",
    encodeFields(["do", "reopen"], ["digest", toDigest(2)], ["returnTo", "/lookup?q=fault"]),
  );
  expect(response.headers.get("location")).toBe("/lookup?q=fault");
});

describe("the lookup of a URL", () => {
  const reportAt = (n: number, url: string) =>
    createFirstReport(n, { request: { url, route: new URL(url).pathname, headers: [] } });

  it("redirects to the list of issues with its path", async () => {
    const url = "https://shop.example/cart/pay?step=2";
    await log.append([reportAt(1, url), reportAt(2, url), reportAt(3, "https://shop.example/")]);
    const { response } = await visit(`/lookup?q=${encodeURIComponent(url)}`);
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe("/issues?q=url%3A%2Fcart%2Fpay");
    const { body } = await visit(`/lookup?q=${encodeURIComponent(url)}`, asJson);
    expect(JSON.parse(body)).toEqual({ hits: [], list: "/issues?q=url%3A%2Fcart%2Fpay" });
  });

  it("redirects to the only issue with its path", async () => {
    await log.append([reportAt(1, "https://shop.example/cart")]);
    const { response } = await visit("/lookup?q=https://shop.example/cart%23top");
    expect(response.headers.get("location")).toBe(`/d/${toDigest(1)}`);
  });

  it("finds nothing if no issue has its path", async () => {
    await log.append([reportAt(1, "https://shop.example/cart")]);
    const { response } = await visit("/lookup?q=https://shop.example/other");
    expect(response.status).toBe(404);
  });
});
