import { describe, expect, it } from "vitest";
import { visit } from "../../support/app.ts";
import { bytes } from "../../support/bytes.ts";
import { hostileRows } from "../../support/hostile-bodies.ts";
import {
  anEvent,
  bodyOf,
  eventsOf,
  type Hostile,
  MARK,
  pathOf,
} from "../../support/hostile-row.ts";
import { desk } from "../../support/store.ts";

/** The row as it is posted. Requests to the desk ask for JSON. */
const send = (row: Hostile) =>
  visit(pathOf(row), {
    method: "POST",
    headers: { accept: "application/json", ...row.headers },
    body: bodyOf(row),
  });

/**
 * The body of a refusal: OTLP has a `Status` with a message, everything else a reason and a detail.
 */
function refusalIn({ response, body }: Awaited<ReturnType<typeof visit>>) {
  if (response.headers.get("content-type") === "application/x-protobuf") return { detail: body };
  const { reason, detail, message } = JSON.parse(body);
  return { reason, detail: detail ?? message };
}

describe("a hostile request gets the answer that the table names, and a refusal says why", () => {
  it("the table has more than a hundred rows, each with a name of its own", () => {
    expect(new Set(hostileRows.map(({ name }) => name)).size).toBe(hostileRows.length);
    expect(hostileRows.length).toBeGreaterThan(100);
  });

  it.each(hostileRows)("$name", async (row) => {
    const visited = await send(row);
    const { response, body } = visited;
    expect([row.status].flat()).toContain(response.status);
    expect(response.headers.get("access-control-allow-origin")).toBe(row.desk ? null : "*");
    expect(response.headers.get("retry-after")).toBeNull();
    if (response.status < 400) return;
    const { reason, detail } = refusalIn(visited);
    expect(detail).toMatch(
      /(?:Expected|There is|Unknown ingest key|The request names several) .{10,400}\.$/,
    );
    expect(body).not.toContain(MARK);
    // OTLP's Status has no place for it.
    if (!pathOf(row).startsWith("/v1/")) expect(reason).toMatch(/^[a-z-]+$/);
    if (row.reason !== undefined) expect(reason).toBe(row.reason);
  });
});

describe("after all of it, at once", () => {
  it("a good report is taken and found, and no prototype has changed", async () => {
    const AT_ONCE = 20;
    for (let at = 0; at < hostileRows.length; at += AT_ONCE) {
      const visits = await Promise.all(hostileRows.slice(at, at + AT_ONCE).map(send));
      for (const { response } of visits) expect(response.status).toBeLessThan(500);
    }
    const id = "5aaeee40d56b46ecbfb342d868e140ef";
    const body = eventsOf([anEvent("after it all", { event_id: id })]);
    const { response } = await visit("/monitoring", { method: "POST", body });
    expect(response.status).toBe(200);
    const digest = /digest="([^"]+)"/.exec(response.headers.get("errata-outcome") ?? "")?.[1] ?? "";
    expect(await desk.getFreshIssue(digest)).toMatchObject({ digest, count: 1 });
    expect(await desk.locateReport(id)).toMatchObject({ digest });
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect({}).not.toHaveProperty("polluted");
    expect([]).not.toHaveProperty("polluted");
  });
});

describe("a body that comes slowly", () => {
  const good = bytes(eventsOf([anEvent("drop by drop".padEnd(5_000, "."))]));

  it("byte by byte is taken like any other", async () => {
    const { response } = await visit("/monitoring", posted(drops(good, 1, "close")));
    expect(response.status).toBe(200);
    expect(response.headers.get("errata-outcome")).toContain("accepted");
  });

  it.each([
    { name: "before its first byte", length: 0 },
    { name: "in the middle of its header", length: 1 },
    { name: "in the middle of its event", length: 3_000 },
    { name: "before its last byte", length: good.length - 1 },
  ])("and fails $name is cut", async ({ length }) => {
    const { response, body } = await visit(
      "/monitoring",
      posted(drops(good.subarray(0, length), 1, "fail")),
    );
    expect(response.status).toBe(400);
    expect(JSON.parse(body)).toMatchObject({ reason: "truncated-body" });
    expect(body).not.toContain(MARK);
  });

  it("and never ends is refused at the limit", async () => {
    const { response, body } = await visit("/monitoring", posted(drops(good, 512, "again")));
    expect(response.status).toBe(413);
    expect(JSON.parse(body)).toMatchObject({ reason: "too-large" });
  });
});

function posted(body: ReadableStream<Uint8Array>): RequestInit {
  return { method: "POST", body };
}

/**
 * The bytes in pieces of `size`, one each time the reader asks; behind the last one the stream
 * ends, fails or begins again.
 */
function drops(
  whole: Uint8Array,
  size: number,
  end: "close" | "fail" | "again",
): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= whole.length && end === "close") return controller.close();
      if (at >= whole.length && end === "fail") return controller.error(new Error("went away"));
      if (at >= whole.length) at = 0;
      controller.enqueue(whole.slice(at, at + size));
      at += size;
    },
  });
}
