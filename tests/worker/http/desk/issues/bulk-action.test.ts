import { afterEach, describe, expect, it } from "vitest";
import { findPerson } from "#src/core/accounts/actors.ts";
import { digestFromHash } from "#src/core/grouping/encode-digest.ts";
import { limits } from "#src/core/limits.ts";
import { createMembers, ORIGIN, OWN_PAGE } from "#support/accounts/members.ts";
import { readNowMs } from "#support/clock/clock.ts";
import {
  asJson,
  createFirstReport,
  encodeFields,
  listDigests,
  postToList,
  readList,
  TWO_DIGESTS,
  toDigest,
  UNAVAILABLE_LIST,
} from "#support/http/issue-list.ts";
import { visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const DAY_MS = 86_400_000;

describe("a decision about several issues", () => {
  it.each([
    ["resolve", "resolved"],
    ["resolve-next", "resolved"],
    ["snooze", "snoozed"],
    ["archive", "archived"],
    ["reopen", "open"],
  ])("is accepted from the button %s, and redirects to the same list", async (word, state) => {
    await log.append([createFirstReport(1), createFirstReport(2), createFirstReport(3)]);
    const returnTo = "/issues?q=is%3Aopen+fault&sort=count";
    const { response } = await postToList(
      "/issues/state",
      encodeFields(["do", word], ["returnTo", returnTo], ...TWO_DIGESTS),
    );
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(returnTo);
    const states = (await readList("/issues?q=")).issues.map((issue) => issue.state);
    expect(states).toEqual(["open", state, state]);
  });

  it("is accepted as JSON like that for one issue, and the response lists the existing issues", async () => {
    await log.append([createFirstReport(1)]);
    const sendAction = { digest: [toDigest(1), toDigest(9)], state: "snoozed", duration: "1d" };
    const { response, body } = await postToList("/issues/state", JSON.stringify(sendAction), {
      headers: { "content-type": "application/json" },
    });
    expect(response.status).toBe(200);
    expect(JSON.parse(body)).toEqual({
      digests: [toDigest(1)],
      change: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    const { atMs = 0, untilMs = 0 } =
      (await projectStore.getFreshIssue(toDigest(1)))?.decision ?? {};
    expect(untilMs - atMs).toBe(DAY_MS);
  });

  it("merges the other issues into the first", async () => {
    await log.append([createFirstReport(1), createFirstReport(2)]);
    const { response } = await postToList(
      "/issues/state",
      encodeFields(["do", "merge"], ...TWO_DIGESTS),
    );
    expect(response.status).toBe(303);
    expect(await listDigests("")).toEqual([toDigest(1)]);
    expect((await projectStore.getFreshIssue(toDigest(1)))?.count).toBe(2);
  });

  it("to merge a single issue changes nothing", async () => {
    await log.append([createFirstReport(1)]);
    const { response } = await postToList(
      "/issues/state",
      encodeFields(["do", "merge"], ["digest", toDigest(1)]),
    );
    expect(response.status).toBe(303);
    expect(await listDigests("")).toEqual([toDigest(1)]);
  });

  it.each([
    "https://elsewhere.example/issues",
    "//elsewhere.example/issues",
    "/\\elsewhere.example",
    "javascript:alert(1)",
    "/status",
    "/issues/../status",
    "",
  ])("redirects to the issue list in place of another page: %s", async (returnTo) => {
    await log.append([createFirstReport(1)]);
    const { response } = await postToList(
      "/issues/state",
      encodeFields(["do", "archive"], ["returnTo", returnTo], ...TWO_DIGESTS),
    );
    expect(response.headers.get("location")).toBe("/issues");
  });

  it.each([
    ["no digest", encodeFields(["do", "resolve"]), 400],
    ["an invalid digest", encodeFields(["do", "resolve"], ["digest", "x"]), 400],
    ["a misread digest", encodeFields(["do", "resolve"], ["digest", "7F3K-Q2MG"]), 400],
    ["no decision", encodeFields(...TWO_DIGESTS), 400],
    ["an unknown action", encodeFields(["do", "constructor"], ...TWO_DIGESTS), 400],
    [
      "an action and a state",
      encodeFields(["do", "archive"], ["state", "open"], ...TWO_DIGESTS),
      400,
    ],
    ["a field twice", encodeFields(["do", "archive"], ["do", "resolve"], ...TWO_DIGESTS), 400],
    ["an invalid state", encodeFields(["state", "gone"], ...TWO_DIGESTS), 400],
    [
      "a large body",
      encodeFields(
        ["do", "archive"],
        ["returnTo", "x".repeat(limits.maxFormBytes)],
        ...TWO_DIGESTS,
      ),
      413,
    ],
    ["another media type", "do=archive", 415, "text/plain"],
    ["digests that are not text", '{"state":"open","digest":[1]}', 400, "application/json"],
    ["a digest that is an object", '{"state":"open","digest":{}}', 400, "application/json"],
  ])(
    "is refused with %s",
    async (_name, body, status, type = "application/x-www-form-urlencoded") => {
      await log.append([createFirstReport(1), createFirstReport(2)]);
      const { response } = await postToList("/issues/state", body, {
        headers: { "content-type": type },
      });
      expect(response.status).toBe(status);
      expect((await readList("/issues")).total).toBe(2);
    },
  );

  it("is refused for more than the maximum number of issues", async () => {
    const digest = Array.from({ length: limits.maxIssuesPerDecision + 1 }, (_, n) =>
      digestFromHash(new Uint8Array(32).map((_, at) => n + at)),
    );
    const { response } = await postToList(
      "/issues/state",
      JSON.stringify({ state: "open", digest }),
      {
        headers: { "content-type": "application/json" },
      },
    );
    expect(response.status).toBe(400);
  });

  it.each(["/issues/state", "/saved-views"])(
    "is refused at %s for another site, and while the index is unavailable",
    async (path) => {
      const body = encodeFields(
        ...(path === "/saved-views"
          ? [["name", "mine"] as const]
          : [["do", "archive"] as const, ...TWO_DIGESTS]),
      );
      const foreign = await postToList(path, body, { headers: { "sec-fetch-site": "cross-site" } });
      expect(foreign.response.status).toBe(403);
      const refused = await postToList(path, body, {
        services: { projectStore: UNAVAILABLE_LIST },
      });
      expect(refused.response.status).toBe(503);
    },
  );
});

describe("the message after an action", () => {
  const getFlashCookie = (response: Response) => response.headers.get("set-cookie") ?? "";
  const sendAction = (word: string, ...numbers: readonly number[]) =>
    postToList(
      "/issues/state",
      encodeFields(["do", word], ...numbers.map((n) => ["digest", toDigest(n)] as const)),
    );
  /** The next page in the browser, with the cookie of the response. */
  const visitAfter = (response: Response, path = "/issues?streaming=off") =>
    visit(path, { headers: { cookie: getFlashCookie(response).split(";", 1).join() } });

  it.each<[string, number[], string, string?]>([
    ["resolve", [1, 2], "2 issues resolved."],
    ["resolve", [1], `${toDigest(1)} resolved.`],
    ["resolve-next", [1, 2], "2 issues resolved in the next release."],
    ["snooze", [1, 2], "2 issues snoozed until they escalate."],
    ["snooze", [1], `${toDigest(1)} snoozed until it escalates.`],
    ["snooze-7d", [1, 2], "2 issues snoozed for 1 week."],
    ["snooze-10-users", [1], `${toDigest(1)} snoozed until 10 more people.`],
    ["archive", [1, 9], `${toDigest(1)} archived.`],
    ["reopen", [1, 2], "2 issues reopened."],
    ["merge", [1, 2], "2 issues merged into one."],
    ["merge", [1], "Not merged. Select at least two existing issues."],
    ["archive", [8, 9], "No changes. The selected issues no longer exist."],
  ])("is shown once on the list: %s of %j", async (word, numbers, text, role = "status") => {
    await log.append([createFirstReport(1), createFirstReport(2), createFirstReport(3)]);
    const { response } = await sendAction(word, ...numbers);
    const shown = await visitAfter(response);
    const message = /<div class="flash.*?<p role="(\w+)">(.*?)<\/p>/.exec(shown.body);
    expect([message?.[1], message?.[2]?.replace(/<.*?>/g, "")]).toEqual([role, text]);
    expect(shown.body).toContain(`<title>${text} Issues · First project · Errata</title>`);
    expect(getFlashCookie(shown.response)).toContain("errata-flash=; Max-Age=0; Path=/issues");
    expect((await visitAfter(shown.response)).body).not.toContain(text);
  });

  it.each([
    [
      "a comment of spaces",
      "/d/0/annotations",
      [["comment", "   "]],
      "The comment is empty or too long",
    ],
    ["an unknown issue", "/d/0/annotations", [["merge", toDigest(9)]], "No issue has this digest"],
    ["no state", "/d/0/state", [["state", "gone"]], "Select at least one issue and an action"],
    ["a wrong digest", "/d/0/erase", [["confirm", toDigest(9)]], "Type this issue’s digest"],
    [
      "an issue that does not exist",
      "/d/9/state",
      [["state", "archived"]],
      "No issue has this digest",
    ],
    [
      "an unknown action",
      "/issues/state",
      [["do", "nothing"]],
      "Select at least one issue and an action",
    ],
    ["a view without a name", "/saved-views", [["name", " "]], "Enter a name"],
  ] as const)(
    "states why a form was refused, on the page with the form: %s",
    async (_, template, fields, text) => {
      await log.append([createFirstReport(1)]);
      const path = template.replace("/0/", `/${toDigest(1)}/`).replace("/9/", `/${toDigest(9)}/`);
      const browser = { headers: { "sec-fetch-site": "same-origin" } };
      const { response } = await postToList(path, encodeFields(...fields), browser);
      const page = template.startsWith("/d/0") ? `/d/${toDigest(1)}` : "/issues";
      expect([response.status, response.headers.get("location")]).toEqual([303, page]);
      const { body } = await visitAfter(response, `${page}?streaming=off`);
      expect(body).toMatch(new RegExp(`class="flash refused"><p role="alert">[^<]*${text}`));
      const program = await postToList(path, encodeFields(...fields));
      expect([400, 404]).toContain(program.response.status);
      const foreign = { headers: { "sec-fetch-site": "cross-site" } };
      expect((await postToList(path, encodeFields(...fields), foreign)).response.status).toBe(403);
    },
  );

  it("confirms that a view was saved or deleted", async () => {
    const saved = await postToList(
      "/saved-views",
      encodeFields(["name", "Mine"], ["query", "is:new"]),
    );
    expect((await visitAfter(saved.response)).body).toContain(">View saved.<");
    const deleted = await postToList(
      "/saved-views",
      encodeFields(["name", "Mine"], ["delete", "1"]),
    );
    expect((await visitAfter(deleted.response)).body).toContain(">View deleted.<");
  });

  it("is in an HttpOnly cookie for that page and one minute, and API clients do not get one", async () => {
    await log.append([createFirstReport(1)]);
    const { response } = await sendAction("archive", 1);
    expect(getFlashCookie(response)).toMatch(
      /^errata-flash=archived\.1\.[0-9a-f]{32}\.040G-2084; Max-Age=60; Path=\/issues; HttpOnly; SameSite=Lax$/,
    );
    expect(response.headers.get("location")).toBe("/issues");
    const listDigests = encodeFields(["do", "archive"], ["digest", toDigest(1)]);
    expect(getFlashCookie((await postToList("/issues/state", listDigests, asJson)).response)).toBe(
      "",
    );
  });

  it.each([
    ...[
      "nothing.1..",
      "constructor.1..",
      "archived",
      "muted.1",
      "muted.x..",
      "muted.-1..",
      "<b>.1..",
    ],
    ...["muted.1234567..", "muted.1.x.", "muted.1..<b>", "muted.1...."],
  ])("is not shown for the cookie %s", async (value) => {
    const { body } = await visit("/issues?streaming=off", {
      headers: { cookie: `errata-flash=${value}` },
    });
    expect(body).not.toContain('class="flash"');
  });
});

describe("an action on the list", () => {
  const readStates = async () =>
    Object.fromEntries((await readList("/issues?q=")).issues.map((one) => [one.digest, one.state]));
  const getUndoId = (response: Response) =>
    /\.([0-9a-f]{32})\./.exec(response.headers.get("set-cookie") ?? "")?.[1] ?? "";

  it("is undone by the button of its message, which leads back to the page", async () => {
    await log.append([createFirstReport(1), createFirstReport(2)]);
    const { response } = await postToList(
      "/issues/state",
      encodeFields(["do", "archive"], ...TWO_DIGESTS),
    );
    const undoId = getUndoId(response);
    const shown = await visit("/issues?streaming=off&q=", {
      headers: { cookie: (response.headers.get("set-cookie") ?? "").split(";", 1).join() },
    });
    expect(shown.body).toContain(`<input type="hidden" name="undo" value="${undoId}"/>`);
    const undone = await postToList(
      "/undo",
      encodeFields(["undo", undoId], ["returnTo", "/issues?q="]),
    );
    expect(undone.response.status).toBe(303);
    expect(undone.response.headers.get("location")).toBe("/issues?q=");
    expect(await readStates()).toEqual({ [toDigest(1)]: "open", [toDigest(2)]: "open" });
    const again = await postToList("/undo", encodeFields(["undo", undoId]), asJson);
    expect(JSON.parse(again.body)).toEqual({ digests: [] });
  });

  it("is possible with the button of one row, whatever else is selected", async () => {
    await log.append([createFirstReport(1), createFirstReport(2), createFirstReport(3)]);
    const row = `resolve ${toDigest(3)}`;
    await postToList("/issues/state", encodeFields(["row", row], ...TWO_DIGESTS));
    expect(await readStates()).toMatchObject({ [toDigest(1)]: "open", [toDigest(3)]: "resolved" });
    const { response } = await postToList(
      "/issues/state",
      encodeFields(["row", "burn 1"], ...TWO_DIGESTS),
    );
    expect(response.status).toBe(400);
  });

  it("changes all issues of a query, beyond the page, and undoes all of them", async () => {
    const count = limits.maxIssuesPerDecision + 7;
    await log.append(Array.from({ length: count }, (_, n) => createFirstReport(n + 1)));
    const { response } = await postToList(
      "/issues/state",
      encodeFields(["do", "resolve"], ["matching", "*"]),
    );
    expect(response.headers.get("set-cookie")).toContain(`=resolved.${count}.`);
    expect((await readList("/issues")).total).toBe(0);
    await postToList("/undo", encodeFields(["undo", getUndoId(response)]));
    expect((await readList("/issues")).total).toBe(count);
    const merge = await postToList(
      "/issues/state",
      encodeFields(["do", "merge"], ["matching", "*"]),
    );
    expect(merge.response.status).toBe(400);
  });

  it("assigns issues to members only", async () => {
    await log.append([createFirstReport(1), createFirstReport(2)]);
    const members = await createMembers();
    const { actor, proof } = await members.invite("member");
    const registry = await members.registry.readCopy();
    const name = findPerson(registry, actor, readNowMs())?.name ?? "";
    const send = (to: string) =>
      visit("/issues/state", {
        method: "POST",
        origin: ORIGIN,
        body: encodeFields(["assign", to], ...TWO_DIGESTS),
        headers: { ...proof, ...OWN_PAGE, "content-type": "application/x-www-form-urlencoded" },
        services: members.services,
      });
    const assigned = await send(name);
    expect(assigned.response.headers.get("set-cookie")).toContain("=assigned.2.");
    expect((await projectStore.getFreshIssue(toDigest(2)))?.assignee).toBe(name);
    const stranger = await send("Mallory");
    expect(stranger.response.headers.get("set-cookie")).toContain("=not-assigned.0.");
    expect((await projectStore.getFreshIssue(toDigest(1)))?.assignee).toBe(name);
    const page = await visit("/issues?streaming=off", {
      origin: ORIGIN,
      headers: proof,
      services: members.services,
    });
    expect(page.body).toMatch(/name="assign">(<span[^>]*>[^<]*<\/span>)?<bdi>Assign to me</);
    const show = async (cookie: string) => {
      const headers = { ...proof, cookie: `${proof.cookie}; errata-flash=${cookie}` };
      return visit("/issues", { origin: ORIGIN, headers, services: members.services });
    };
    const [cookie = ""] =
      /errata-flash=([^;]+)/.exec(assigned.response.headers.get("set-cookie") ?? "")?.slice(1) ??
      [];
    expect((await show(cookie)).body).toContain(`2 issues assigned to ${name}.`);
    const forged = cookie.replace(/[\w-]+$/, Buffer.from("Mallory").toString("base64url"));
    expect((await show(forged)).body).toContain("2 issues assigned.");
  });
});
