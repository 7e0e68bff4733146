import { afterEach, describe, expect, it } from "vitest";
import { ORIGIN } from "#support/accounts/members.ts";
import { DIGEST, postForm } from "#support/alerts/alert-pages.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log } from "#support/store/store.ts";

afterEach(() => emptyStore());

describe("the feed of a view", () => {
  const createFeed = async () => {
    await log.append([createReport(1, { digest: DIGEST, message: "a <b> & c" })]);
    await postForm("/saved-views", { name: "Mine", query: "is:open", sort: "last" });
    const { body } = await postForm("/settings/alerts/feeds", { do: "create", view: "Mine" });
    return /http:\/\/localhost:8787(\/feeds\/[0-9a-f]{32}\.atom)/.exec(body)?.[1] ?? "";
  };
  const anonymous = { origin: ORIGIN };

  it("has an address of its own that needs no sign-in, shown once", async () => {
    const path = await createFeed();
    const { response, body } = await visit(path, anonymous);
    expect(response.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
    expect(body).toContain("TypeError: a &#60;b&#62; &#38; c");
    expect((await visit("/settings/alerts")).body).not.toContain(path);
    const exported = (await visit("/export")).body;
    expect(exported).not.toContain("feedHash");
  });

  it("is not sent again to a reader that has it", async () => {
    const path = await createFeed();
    const { response } = await visit(path, anonymous);
    const tag = response.headers.get("etag") ?? "";
    expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
    const headers = { "if-none-match": `W/${tag}` };
    const again = await visit(path, { ...anonymous, headers });
    expect([again.response.status, again.body]).toEqual([304, ""]);
    await log.append([createReport(2, { digest: "8G4M-R3N0", message: "another" })]);
    const changed = await visit(path, { ...anonymous, headers });
    expect(changed.response.status).toBe(200);
  });

  it("has an entry for the return of an issue, with an id and a time of its own", async () => {
    const path = await createFeed();
    await postForm(`/d/${DIGEST}/state`, { state: "resolved" });
    await log.append([createReport(3, { digest: DIGEST, occurredAtMs: readNowMs() + 60_000 })]);
    const { body } = await visit(path, anonymous);
    expect(body).toContain(`Regressed: ${DIGEST}`);
    expect(body.match(/<entry>/g)).toHaveLength(2);
    expect(new Set(body.match(/<id>tag:[^<]*/g)).size).toBe(2);
  });

  it("keeps its address when the view is saved again, and loses it when it is revoked", async () => {
    const path = await createFeed();
    await postForm("/saved-views", { name: "Mine", query: "is:resolved", sort: "last" });
    expect((await visit(path, anonymous)).body).not.toContain("<entry>");
    await postForm("/settings/alerts/feeds", { do: "revoke", view: "Mine" });
    expect((await visit(path, anonymous)).response.status).toBe(404);
  });

  it("has another address after a new one was created", async () => {
    const path = await createFeed();
    await postForm("/settings/alerts/feeds", { do: "create", view: "Mine" });
    expect((await visit(path, anonymous)).response.status).toBe(404);
    expect((await visit(`/p/2${path}`, anonymous)).response.status).toBe(404);
  });
});
