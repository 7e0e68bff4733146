/** The stream of `/api/v1/live`. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { limits } from "#src/core/limits.ts";
import { createMembers, ORIGIN, type Proof, type TestMembers } from "#support/accounts/members.ts";
import { CLIENT_ID, TestOAuth } from "#support/http/oauth.ts";
import { startVisit, type VisitOptions } from "#support/http/visit.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getIndex, log } from "#support/store/store.ts";

let members: TestMembers;
let proof: Proof;
const opened: EventReader[] = [];

beforeEach(async () => {
  members = await createMembers();
  ({ proof } = await members.token("viewer"));
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  vi.restoreAllMocks();
  await emptyStore();
});

/** Reads a stream of events, a block at a time. */
class EventReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #text = "";
  readonly #decoder = new TextDecoder();

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader();
    opened.push(this);
  }

  /** The next block; undefined at the end. */
  async next(): Promise<string | undefined> {
    for (;;) {
      const at = this.#text.indexOf("\n\n");
      if (at >= 0) {
        const block = this.#text.slice(0, at);
        this.#text = this.#text.slice(at + 2);
        return block;
      }
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#text += this.#decoder.decode(value, { stream: true });
    }
  }

  /** The next report, and the id of its event. */
  async nextReport() {
    const block = (await this.next()) ?? "";
    const [, id] = /^id: (.*)$/m.exec(block) ?? [];
    expect(block).toMatch(/^event: report$/m);
    const [, data = "null"] = /^data: (.*)$/m.exec(block) ?? [];
    return { id, report: JSON.parse(data) };
  }

  close() {
    return this.#reader.cancel();
  }
}

function open(path = "/api/v1/live", { headers, ...init }: VisitOptions = {}) {
  return startVisit(path, {
    origin: ORIGIN,
    services: members.services,
    ...init,
    headers: { ...proof, accept: "text/event-stream", ...(headers as Proof) },
  }).responding;
}

async function follow(path?: string, init?: VisitOptions) {
  const response = await open(path, init);
  expect(response.status).toBe(200);
  if (response.body === null) throw new Error("no stream");
  const reader = new EventReader(response.body);
  expect(await reader.next()).toBe("retry: 3000");
  return reader;
}

describe("a stream of reports", () => {
  it("begins with those that just arrived, and continues with each new one", async () => {
    await log.append([createReport(1, { message: "the first" })]);
    await log.append([createReport(2, { message: "the second" })]);
    const reader = await follow();
    expect((await reader.nextReport()).report.message).toBe("the first");
    expect(await reader.nextReport()).toMatchObject({
      id: toReportId(2),
      report: { id: toReportId(2), message: "the second", at: expect.stringMatching(/Z$/) },
    });
    await log.append([createReport(3, { message: "just now" })]);
    expect((await reader.nextReport()).report.message).toBe("just now");
  });

  it("continues after the event that a client names, without a gap", async () => {
    for (const n of [1, 2, 3]) await log.append([createReport(n, { message: `report ${n}` })]);
    const reader = await follow("/api/v1/live", { headers: { "last-event-id": toReportId(2) } });
    expect((await reader.nextReport()).report.message).toBe("report 3");
    const other = await follow(`/api/v1/live?after=${toReportId(1)}`);
    expect((await other.nextReport()).report.message).toBe("report 2");
  });

  it("has only the reports with the words that were asked for", async () => {
    await log.append([createReport(1, { message: "no price" })]);
    const reader = await follow("/api/v1/live?text=COLOUR");
    await log.append([createReport(2, { message: "no price again" })]);
    await log.append([createReport(3, { message: "no colour" })]);
    expect((await reader.nextReport()).report.message).toBe("no colour");
  });

  it("withholds the text of each report below the level that was asked for", async () => {
    await log.append([createReport(1, { message: "of a server" })]);
    const plain = await follow();
    const asked = await follow("/api/v1/live?trust=public");
    expect((await plain.nextReport()).report.message).toBe("of a server");
    await asked.nextReport();
    await log.append([
      createReport(2, { digest: "0D09-CRC3", trust: "public", message: "of a stranger" }),
    ]);
    expect((await plain.nextReport()).report.message).toMatchObject({
      withheld: true,
      writtenBy: "public",
    });
    expect((await asked.nextReport()).report.message).toEqual({
      text: "of a stranger",
      writtenBy: "public",
    });
  });

  it("is refused to a token that may not read the level", async () => {
    ({ proof } = await members.token("viewer", "1", { lowestTrust: "server" }));
    expect((await open("/api/v1/live?trust=public")).status).toBe(403);
  });

  it("ends when access is revoked, and does not begin again", async () => {
    const reader = await follow();
    await getIndex().closeLiveSockets();
    expect(await reader.next()).toBeUndefined();
    const { id, proof: revoked } = await members.token("viewer");
    await members.change(members.deployer, { do: "revoke-token", project: "1", token: id });
    expect((await open("/api/v1/live", { headers: revoked })).status).toBe(401);
  });

  it.each([
    ["its program gives its access up", "/oauth/revoke", (token: string) => ({ token })],
    [
      "its refresh token is used twice",
      "/oauth/token",
      (token: string) => ({ grant_type: "refresh_token", refresh_token: token }),
    ],
  ])("ends when %s", async (_, path, toFields) => {
    const oauth = new TestOAuth(members);
    const { proof: ada } = await members.invite("member");
    const connected = await oauth.connect(ada, { resource: ORIGIN }, { project: "1" });
    const { refresh_token: first } = connected;
    const { access_token: token } = (await oauth.refresh(first)).body;
    const headers = { authorization: `Bearer ${token}` };
    const reader = await follow("/api/v1/live", { headers });
    await oauth.post(path, { client_id: CLIENT_ID, ...toFields(first) });
    expect(await reader.next()).toBeUndefined();
    expect((await open("/api/v1/live", { headers })).status).toBe(401);
  });

  it("sends comments while nothing arrives, and ends after ten minutes", async () => {
    vi.spyOn(scheduler, "wait").mockResolvedValue(undefined);
    const reader = await follow();
    const comments: (string | undefined)[] = [];
    for (;;) {
      const block = await reader.next();
      if (block === undefined) break;
      comments.push(block);
    }
    expect(comments).toEqual(Array.from({ length: 40 }, () => ":"));
  });

  it("is limited to some for a token at the same time", async () => {
    const readers: EventReader[] = [];
    for (let n = 0; n < limits.maxLiveStreams; n++) readers.push(await follow());
    const refused = await open();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    expect(
      (await open("/api/v1/live", { headers: (await members.token("viewer")).proof })).status,
    ).toBe(200);
    await readers[0]?.close();
    await vi.waitFor(async () => expect((await open()).status).toBe(200));
  });

  it.each([
    ["/api/v1/live?text=a&colour=red", {}, 400],
    ["/api/v1/live", { authorization: "Bearer errata_unknown" }, 401],
    ["/p/2/api/v1/live", {}, 404],
  ])("%s with %o is refused before it begins: %i", async (path, headers, status) => {
    const response = await open(path, { headers });
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
  });

  it("is 503 while the index is unavailable", async () => {
    const connectLiveSocket = () => Promise.reject(new Error("unavailable"));
    const services = { ...members.services, connectLiveSocket };
    expect((await open("/api/v1/live", { services })).status).toBe(503);
  });

  it("is not what a client gets that accepts JSON, or asks for the head", async () => {
    for (const init of [{ headers: { accept: "*/*" } }, { method: "HEAD" }]) {
      const response = await open("/api/v1/live", init);
      expect(response.headers.get("content-type")).toBe("application/json");
    }
  });
});
