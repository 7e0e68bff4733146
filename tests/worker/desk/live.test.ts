import { decodeJwt } from "jose";
import { afterEach, describe, expect, it } from "vitest";
import type { LiveEvent } from "../../../src/core/issue/live-event.ts";
import type { ProjectStore } from "../../../src/core/ports/storage-ports.ts";
import { createLiveConnect } from "../../../src/store/client/live-client.ts";
import { visit } from "../../support/app.ts";
import { fresh } from "../../support/fresh.ts";
import { createMembers, ORIGIN } from "../../support/people.ts";
import { aReport, reportId } from "../../support/reports.ts";
import { bindings, desk, index, log } from "../../support/store.ts";

afterEach(() => fresh());

const asJson = { headers: { accept: "application/json" } };
const messages = async (path: string) => {
  const { events } = JSON.parse((await visit(path, asJson)).body) as {
    events: readonly LiveEvent[];
  };
  return events.map(({ message }) => message);
};
const away: ProjectStore = { ...desk, listLiveEvents: () => Promise.reject(new Error("away")) };

describe("what arrives", () => {
  it("stands on the page, newest first, each with the way to its report", async () => {
    await log.append([aReport(1, { message: "the first", release: "1.4.0" })]);
    await log.append([aReport(2, { message: "the second" })]);
    const { body, response, logged } = await visit("/live");
    expect([response.status, logged]).toEqual([200, []]);
    expect(body.indexOf("the second")).toBeLessThan(body.indexOf("the first"));
    expect(body).toContain(`href="/d/7F3K-Q2M9?report=${reportId(2)}"`);
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
  ])("is filtered: %s", async (query, expected) => {
    await log.append([aReport(1, { message: "the first", release: "1.4.0" })]);
    await log.append([aReport(2, { message: "the second", kind: "message", side: "browser" })]);
    expect(await messages(`/live?${query}`)).toEqual(expected);
    const { body } = await visit(`/live?${query}`);
    for (const message of ["the first", "the second"])
      expect(body.includes(message), message).toBe(expected.includes(message));
  });

  it("says so when there is nothing, and when a filter lets nothing through", async () => {
    expect((await visit("/live")).body).toContain("No reports yet. New reports appear here.");
    await log.append([aReport(1)]);
    expect((await visit("/live?q=nothing+like+it")).body).toContain(
      "No recent reports match this filter.",
    );
  });

  it("is text, whatever was reported", async () => {
    const markup = "</li><script>alert(1)</script>";
    await log.append([aReport(1, { type: markup, message: markup, release: markup })]);
    const { body } = await visit(`/live?q=${encodeURIComponent("<script>")}`);
    expect(body).not.toContain("<script>alert");
    expect(body).toContain("&lt;script&gt;alert(1)");
  });

  it("is 503 as JSON while the index is away, and a notice on the page", async () => {
    const services = { projectStore: away };
    expect((await visit("/live", { ...asJson, services })).response.status).toBe(503);
    const { response, body } = await visit("/live", { services });
    expect([response.status, body.includes("Digest:")]).toEqual([200, true]);
  });
});

describe("the socket", () => {
  const upgrade = { upgrade: "websocket", connection: "Upgrade" };

  it("tells of what is counted from then on", async () => {
    const { response } = await visit("/live/socket", { headers: upgrade });
    expect(response.status).toBe(101);
    const { webSocket } = response;
    if (webSocket === null) throw new Error("no socket");
    const told = new Promise<readonly LiveEvent[]>((resolve) => {
      webSocket.addEventListener("message", ({ data }) => resolve(JSON.parse(String(data))));
    });
    webSocket.accept();
    await log.append([aReport(7, { message: "just now" })]);
    expect(await told).toMatchObject([{ id: reportId(7), message: "just now", isNew: true }]);
    webSocket.close();
  });

  it("is ended when somebody may do less than before: who may still watch comes again", async () => {
    const { response } = await visit("/live/socket", { headers: upgrade });
    const { webSocket } = response;
    if (webSocket === null) throw new Error("no socket");
    const closed = new Promise<number>((resolve) => {
      webSocket.addEventListener("close", ({ code }) => resolve(code));
    });
    webSocket.accept();
    await index().closeLiveSockets();
    expect(await closed).toBe(1001);
  });

  /** A socket of a session that has expired since, and its close code. */
  async function openExpired() {
    const { webSocket } = await createLiveConnect(bindings, { project: "1" })(1);
    if (webSocket === null) throw new Error("no socket");
    const received: unknown[] = [];
    webSocket.addEventListener("message", ({ data }) => received.push(data));
    const closed = new Promise<number>((resolve) => {
      webSocket.addEventListener("close", ({ code }) => resolve(code));
    });
    webSocket.accept();
    return { webSocket, received, closed };
  }

  it("ends with the session or token that opened it, and sends nothing more", async () => {
    const { received, closed } = await openExpired();
    await log.append([aReport(8, { message: "not for this socket" })]);
    expect([await closed, received]).toEqual([1001, []]);
  });

  it("ends at the next message of an expired session", async () => {
    const { webSocket, closed } = await openExpired();
    webSocket.send("ping");
    expect(await closed).toBe(1001);
  });

  it("makes room for others when its session has expired", async () => {
    const { closed } = await openExpired();
    const { response } = await visit("/live/socket", { headers: upgrade });
    expect([response.status, await closed]).toEqual([101, 1001]);
    response.webSocket?.accept();
    response.webSocket?.close();
  });

  it("stays open while its session lasts", async () => {
    const { webSocket } = await createLiveConnect(bindings, { project: "1" })(
      Number.MAX_SAFE_INTEGER,
    );
    if (webSocket === null) throw new Error("no socket");
    const received = new Promise((resolve) => {
      webSocket.addEventListener("message", ({ data }) => resolve(JSON.parse(String(data))));
    });
    webSocket.accept();
    webSocket.send("ping");
    await log.append([aReport(9, { message: "still here" })]);
    expect(await received).toMatchObject([{ message: "still here" }]);
    webSocket.close();
  });

  it("is for requests that open one: 426", async () => {
    const { response, body } = await visit("/live/socket");
    expect([response.status, JSON.parse(body).reason]).toEqual([426, "upgrade-required"]);
    expect(response.headers.get("upgrade")).toBe("websocket");
  });

  it.each([
    { origin: "https://evil.example" },
    { origin: "http://localhost:9999" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ])("is for Errata's own pages: %o", async (headers) => {
    const { response } = await visit("/live/socket", { headers: { ...upgrade, ...headers } });
    expect(response.status).toBe(403);
  });

  it("is for the desk alone", async () => {
    const { response } = await visit("/live/socket", {
      headers: { ...upgrade, accept: "application/json" },
      origin: "https://errata.example",
    });
    expect(response.status).toBe(503);
  });

  it("is 503 while the index is away", async () => {
    const watch = () => Promise.reject(new Error("away"));
    const { response } = await visit("/live/socket", {
      headers: upgrade,
      services: { connectLiveSocket: watch },
    });
    expect(response.status).toBe(503);
  });
});

describe("the end of a socket", () => {
  it("is that of the session, token or Access assertion", async () => {
    const members = await createMembers();
    const ends: (number | undefined)[] = [];
    const open = (headers: Readonly<Record<string, string>>) =>
      visit("/live/socket", {
        origin: ORIGIN,
        headers: { upgrade: "websocket", ...headers },
        services: {
          ...members.services,
          connectLiveSocket: async (endsMs) => {
            ends.push(endsMs);
            return new Response(null, { status: 503 });
          },
        },
      });
    const viewer = await members.invite("viewer");
    await open(viewer.proof);
    await open((await members.token("viewer")).proof);
    const add = { do: "add-token", project: "1", role: "viewer", name: "short" } as const;
    const { secrets: [text = ""] = [] } = await members.did(members.deployer, {
      ...add,
      lifetimeMs: 1_000_000,
    });
    await open({ authorization: `Bearer ${text}` });
    const assertion = await members.assertion("ada@example.com");
    await open(assertion);
    const { sessions, tokens } = await members.registry.readCopy();
    const { exp = 0 } = decodeJwt(assertion["cf-access-jwt-assertion"] ?? "");
    expect(ends).toEqual([
      sessions.at(-1)?.expiresMs,
      undefined,
      tokens.at(-1)?.expiresMs,
      exp * 1000,
    ]);
  });
});
