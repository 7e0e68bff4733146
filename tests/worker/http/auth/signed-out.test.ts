import { beforeAll, describe, expect, it } from "vitest";
import {
  createMembers,
  ORIGIN,
  OWN_PAGE,
  type Proof,
  type TestMembers,
} from "#support/accounts/members.ts";
import { visit } from "#support/http/visit.ts";

let members: TestMembers;
beforeAll(async () => {
  members = await createMembers();
});

/** Posts a form as a browser does without scripts, from the page at `referer`. */
async function postForm(path: string, headers: Proof): Promise<Response> {
  const { response } = await visit(path, {
    method: "POST",
    origin: ORIGIN,
    services: members.services,
    redirect: "manual",
    headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8", ...headers },
  });
  return response;
}

describe("a form that is sent without a session", () => {
  it("gets a page with a link that continues to the page of the form", async () => {
    const referer = `${ORIGIN}/issues?q=is%3Aopen`;
    const response = await postForm("/issues/state", { ...OWN_PAGE, referer });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    const html = await response.text();
    expect(html).toContain("Your session has ended, so nothing was saved.");
    expect(html).toContain('href="/sign-in?returnTo=%2Fissues%3Fq%3Dis%253Aopen"');
  });

  it("continues to the home page if another site is named as the page of the form", async () => {
    const referer = "https://evil.example/issues";
    const response = await postForm("/issues/state", { ...OWN_PAGE, referer });
    expect(await response.text()).toContain('href="/sign-in?returnTo=%2F"');
  });

  it("gets JSON if a program or another site sent it", async () => {
    const foreign = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
    for (const headers of [{ ...OWN_PAGE, accept: "*/*" }, {}, foreign]) {
      const response = await postForm("/issues/state", headers);
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ reason: "unauthenticated" });
    }
  });
});

it("a form that needs a higher role gets the page “Access denied”", async () => {
  const { proof } = await members.invite("viewer");
  const response = await postForm("/issues/state", { ...OWN_PAGE, ...proof });
  expect(response.status).toBe(403);
  expect(await response.text()).toContain("Access denied");
});
