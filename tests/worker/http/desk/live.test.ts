import { decodeJwt } from "jose";
import { afterEach, describe, expect, it } from "vitest";
import type { LiveEvent } from "#src/core/issue/live-event.ts";
import { limits } from "#src/core/limits.ts";
import { summarizeReport } from "#src/core/report/report-summary.ts";
import type { ProjectStore } from "#src/store/client/project-store.ts";
import { createMembers, ORIGIN } from "#support/accounts/members.ts";
import { visit } from "#support/http/visit.ts";
import { replaceMethods } from "#support/replace-methods.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getIndex, log, NOW_MS, projectStore, storage } from "#support/store/store.ts";

afterEach(() => emptyStore());

const asJson = { headers: { accept: "application/json" } };
const messages = async (path: string) => {
  const { events } = JSON.parse((await visit(path, asJson)).body) as {
    events: readonly LiveEvent[];
  };
  return events.map(({ message }) => message);
};
const unavailable: ProjectStore = replaceMethods(projectStore, {
  listLiveEvents: () => Promise.reject(new Error("unavailable")),
});

describe("the live page", () => {
  it("lists the newest reports first, each with a link to its report", async () => {
    await log.append([createReport(1, { message: "the first", release: "1.4.0" })]);
    await log.append([createReport(2, { message: "the second" })]);
    const { body, response, logged } = await visit("/live");
    expect([response.status, logged]).toEqual([200, []]);
    expect(body.indexOf("the second")).toBeLessThan(body.indexOf("the first"));
    expect(body).toContain(`href="/d/7F3K-Q2M9?report=${toReportId(2)}"`);
    expect(await messages("/live")).toEqual(["the second", "the first"]);
    expect(await messages("/live.json")).toEqual(["the second", "the first"]);
  });

  it.each([
    ["q=SECOND", ["the second"]],
    ["q=1.4.0", ["the first"]],
    ["kind=message", ["the second"]],
    ["side=server&q=the", ["the first"]],
    ["kind=csp", []],
    ["kind=nonsense&side=nonsense", ["the second", "the first"]],
  ])("is filtered by %s", async (query, expected) => {
    await log.append([createReport(1, { message: "the first", release: "1.4.0" })]);
    await log.append([
      createReport(2, { message: "the second", kind: "message", side: "browser" }),
    ]);
    expect(await messages(`/live?${query}`)).toEqual(expected);
    const { body } = await visit(`/live?${query}`);
    for (const message of ["the first", "the second"])
      expect(body.includes(message), message).toBe(expected.includes(message));
  });

  it("shows the environment of the pages, also in what arrives later", async () => {
    await log.append([createReport(1, { message: "the first", environment: "staging" })]);
    await log.append([createReport(2, { message: "the second", environment: "production" })]);
    const cookie = "errata-environment-1=staging";
    const { body } = await visit("/live", { headers: { cookie } });
    expect([body.includes("the first"), body.includes("the second")]).toEqual([true, false]);
    expect(body).toContain('data-live-filter="{&quot;environment&quot;:&quot;staging&quot;}"');
  });

  it("has texts for no reports and for no matching reports", async () => {
    expect((await visit("/live")).body).toContain("No reports yet. New reports appear here.");
    await log.append([createReport(1)]);
    expect((await visit("/live?q=nothing+like+it")).body).toContain(
      "No recent reports match this filter.",
    );
  });

  it("shows all reported values as text", async () => {
    const markup = "</li><script>alert(1)</script>";
    await log.append([createReport(1, { type: markup, message: markup, release: markup })]);
    const { body } = await visit(`/live?q=${encodeURIComponent("<script>")}`);
    expect(body).not.toContain("<script>alert");
    expect(body).toContain("&lt;script&gt;alert(1)");
  });

  it("is 503 as JSON while the index is unavailable, and the page shows a notice", async () => {
    const services = { projectStore: unavailable };
    expect((await visit("/live", { ...asJson, services })).response.status).toBe(503);
    const { response, body } = await visit("/live", { services });
    expect([response.status, body.includes("Digest:")]).toEqual([200, true]);
  });
});

it("the live page lists the reports of servers after many newer public ones", async () => {
  const digests = ["7F3K-Q2M9", "NN8A-S8H6", "0D09-CRC3", "5Z15-CQCZ"];
  await log.append(digests.map((digest, n) => createReport(n, { digest, message: "true" })));
  const flood = Array.from({ length: limits.recentLiveEvents }, (_, n) =>
    createReport(n + 10, {
      ...{ trust: "public", digest: `0000-${1_000 + n}` },
      occurredAtMs: createReport(1).occurredAtMs + 1_000,
    }),
  );
  await log.append(flood);
  await log.append(
    flood.map((report, n) => ({
      ...report,
      id: toReportId(n + 500),
      digest: digests[n % 4] ?? "",
    })),
  );
  const listed = await messages("/live");
  expect(listed).toHaveLength(limits.recentLiveEvents);
  expect(listed.filter((message) => message === "true")).toHaveLength(4);
});

describe("the live socket", () => {
  const upgrade = { upgrade: "websocket", connection: "Upgrade" };

  it("sends each report that is counted after it was opened", async () => {
    const { response } = await visit("/live/socket", { headers: upgrade });
    expect(response.status).toBe(101);
    const { webSocket } = response;
    if (webSocket === null) throw new Error("no socket");
    const firstMessage = new Promise<readonly LiveEvent[]>((resolve) => {
      webSocket.addEventListener("message", ({ data }) => resolve(JSON.parse(String(data))));
    });
    webSocket.accept();
    await log.append([createReport(7, { message: "just now" })]);
    expect(await firstMessage).toMatchObject([
      { id: toReportId(7), message: "just now", isNew: true },
    ]);
    webSocket.close();
  });

  it("sends a report of a server that arrives together with many public ones", async () => {
    const { response } = await visit("/live/socket", { headers: upgrade });
    const { webSocket } = response;
    if (webSocket === null) throw new Error("no socket");
    const firstMessage = new Promise<readonly LiveEvent[]>((resolve) => {
      webSocket.addEventListener("message", ({ data }) => resolve(JSON.parse(String(data))));
    });
    webSocket.accept();
    const flood = Array.from({ length: limits.recentLiveEvents + 20 }, (_, n) =>
      createReport(n + 10, { trust: "public", digest: `0000-${1_000 + n}`, message: String(n) }),
    );
    const items = [createReport(1, { message: "true" }), ...flood].map((report, n) => ({
      seq: 1 + n,
      summary: summarizeReport(report, `2026112117/0.00000009:${n}`),
    }));
    await getIndex().applyRows("0", items);
    const received = (await firstMessage).map(({ message }) => message);
    expect(received).toHaveLength(limits.recentLiveEvents);
    expect([received[0], received.at(-1)]).toEqual(["true", flood.at(-1)?.message]);
    webSocket.close();
  });

  it("closes with 1001 when permissions are reduced, so that entitled clients reconnect", async () => {
    const { response } = await visit("/live/socket", { headers: upgrade });
    const { webSocket } = response;
    if (webSocket === null) throw new Error("no socket");
    const closeCode = new Promise<number>((resolve) => {
      webSocket.addEventListener("close", ({ code }) => resolve(code));
    });
    webSocket.accept();
    await getIndex().closeLiveSockets();
    expect(await closeCode).toBe(1001);
  });

  /** A socket whose session has expired, its messages and its close code. */
  async function openExpiredSocket() {
    const { webSocket } = await storage.connectLiveSocket(1);
    if (webSocket === null) throw new Error("no socket");
    const received: unknown[] = [];
    webSocket.addEventListener("message", ({ data }) => received.push(data));
    const closeCode = new Promise<number>((resolve) => {
      webSocket.addEventListener("close", ({ code }) => resolve(code));
    });
    webSocket.accept();
    return { webSocket, received, closed: closeCode };
  }

  it("closes with the session or token that opened it, and sends nothing more", async () => {
    const { received, closed: closeCode } = await openExpiredSocket();
    await log.append([createReport(8, { message: "not for this socket" })]);
    expect([await closeCode, received]).toEqual([1001, []]);
  });

  it("closes at the next message of an expired session", async () => {
    const { webSocket, closed: closeCode } = await openExpiredSocket();
    webSocket.send("ping");
    expect(await closeCode).toBe(1001);
  });

  it("gives up its slot when its session has expired", async () => {
    const { closed: closeCode } = await openExpiredSocket();
    const { response } = await visit("/live/socket", { headers: upgrade });
    expect([response.status, await closeCode]).toEqual([101, 1001]);
    response.webSocket?.accept();
    response.webSocket?.close();
  });

  it("stays open while its session is valid", async () => {
    const { webSocket } = await storage.connectLiveSocket(Number.MAX_SAFE_INTEGER);
    if (webSocket === null) throw new Error("no socket");
    const received = new Promise((resolve) => {
      webSocket.addEventListener("message", ({ data }) => resolve(JSON.parse(String(data))));
    });
    webSocket.accept();
    webSocket.send("ping");
    await log.append([createReport(9, { message: "still here" })]);
    expect(await received).toMatchObject([{ message: "still here" }]);
    webSocket.close();
  });

  it("requires an upgrade request: 426", async () => {
    const { response, body } = await visit("/live/socket");
    expect([response.status, JSON.parse(body).reason]).toEqual([426, "upgrade-required"]);
    expect(response.headers.get("upgrade")).toBe("websocket");
  });

  it.each<Record<string, string>>([
    { origin: "https://evil.example" },
    { origin: "http://localhost:9999" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ])("accepts only Errata's own pages: %o", async (headers) => {
    const { response } = await visit("/live/socket", { headers: { ...upgrade, ...headers } });
    expect(response.status).toBe(403);
  });

  it("requires access to the desk", async () => {
    const { response } = await visit("/live/socket", {
      headers: { ...upgrade, accept: "application/json" },
      origin: "https://errata.example",
    });
    expect(response.status).toBe(503);
  });

  it("is 503 while the index is unavailable", async () => {
    const connect = () => Promise.reject(new Error("unavailable"));
    const { response } = await visit("/live/socket", {
      headers: upgrade,
      services: { connectLiveSocket: connect },
    });
    expect(response.status).toBe(503);
  });
});

describe("the expiry of a live socket", () => {
  it("is that of the session, token or Access assertion", async () => {
    const members = await createMembers();
    const expiryTimes: (number | undefined)[] = [];
    const open = (headers: Readonly<Record<string, string>>) =>
      visit("/live/socket", {
        origin: ORIGIN,
        headers: { upgrade: "websocket", ...headers },
        services: {
          ...members.services,
          connectLiveSocket: async (endsMs) => {
            expiryTimes.push(endsMs);
            return new Response(null, { status: 503 });
          },
        },
      });
    const viewer = await members.invite("viewer");
    await open(viewer.proof);
    await open((await members.token("viewer")).proof);
    const addToken = { do: "add-token", project: "1", role: "viewer", name: "short" } as const;
    const { secrets: [text = ""] = [] } = await members.change(members.deployer, {
      ...addToken,
      lifetimeMs: 1_000_000,
    });
    await open({ authorization: `Bearer ${text}` });
    const assertion = await members.assertion("ada@example.com");
    await open(assertion);
    const { sessions, tokens } = await members.registry.readCopy();
    const { exp = 0 } = decodeJwt(assertion["cf-access-jwt-assertion"] ?? "");
    expect(expiryTimes).toEqual([
      sessions.at(-1)?.expiresMs,
      undefined,
      tokens.at(-1)?.expiresMs,
      exp * 1000,
    ]);
  });
});

it("the row of feedback names its author", async () => {
  const detail = { name: "Ada <b>", contact_email: "ada@example.com" };
  await log.append([createReport(1, { kind: "feedback", side: "browser", detail })]);
  const { body } = await visit("/live?streaming=off");
  expect(body).toContain('<bdi data-part="author">Ada &lt;b&gt;</bdi>');
  const filtered = await visit("/live?streaming=off&q=ada");
  expect(filtered.body).toContain('data-part="author">Ada');
});

it("the live page has a heading for each day", async () => {
  const dayMs = 86_400_000;
  await log.append([
    createReport(1, { digest: "7F3K-Q2M9", occurredAtMs: NOW_MS - dayMs }),
    createReport(2, { digest: "0000-0000", occurredAtMs: NOW_MS }),
    createReport(3, { digest: "0000-1001", occurredAtMs: NOW_MS + 1 }),
  ]);
  const { body } = await visit("/live?streaming=off");
  const days = [...body.matchAll(/<li class="live-day">(.*?)<\/li>/g)].map(([, day]) => day);
  const toDay = (atMs: number) =>
    `${new Date(atMs).toUTCString().slice(0, 16).replace(" 0", " ")} UTC`;
  expect(days).toEqual([toDay(NOW_MS), toDay(NOW_MS - dayMs)]);
});
