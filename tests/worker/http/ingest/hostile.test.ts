import { describe, expect, it } from "vitest";
import { toBytes } from "#support/bytes.ts";
import { hostileRows } from "#support/hostile/hostile-bodies.ts";
import {
  buildBody,
  createEvent,
  createEventEnvelope,
  getPath,
  type Hostile,
  PLANTED_SECRET,
} from "#support/hostile/hostile-row.ts";
import { skipPauses } from "#support/http/skip-pauses.ts";
import { visit } from "#support/http/visit.ts";
import { projectStore } from "#support/store/store.ts";

skipPauses();

/** The row as it is posted. Requests to the desk accept JSON. */
const send = (row: Hostile) =>
  visit(getPath(row), {
    method: "POST",
    headers: { accept: "application/json", ...row.headers },
    body: buildBody(row),
  });

/**
 * The body of a refusal: OTLP has a `Status` with a message, everything else a reason and a detail.
 */
function parseRefusal({ response, body }: Awaited<ReturnType<typeof visit>>) {
  if (response.headers.get("content-type") === "application/x-protobuf") return { detail: body };
  const { reason, detail, message } = JSON.parse(body);
  return { reason, detail: detail ?? message };
}

describe("a hostile request gets the status of its table row, and a refusal states the reason", () => {
  it("the table has more than a hundred rows with unique names", () => {
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
    const { reason, detail } = parseRefusal(visited);
    expect(detail).toMatch(
      /(?:(?:Expected|Unknown ingest key|The request names several) .{10,400}|Page not found)\.$/,
    );
    expect(body).not.toContain(PLANTED_SECRET);
    // The Status of OTLP has no field for it.
    if (!getPath(row).startsWith("/v1/")) expect(reason).toMatch(/^[a-z-]+$/);
    if (row.reason !== undefined) expect(reason).toBe(row.reason);
  });
});

describe("after all hostile requests, sent concurrently", () => {
  it("a valid report is accepted and found, and no prototype has changed", async () => {
    const AT_ONCE = 20;
    for (let at = 0; at < hostileRows.length; at += AT_ONCE) {
      const visits = await Promise.all(hostileRows.slice(at, at + AT_ONCE).map(send));
      for (const { response } of visits) expect(response.status).toBeLessThan(500);
    }
    const id = "5aaeee40d56b46ecbfb342d868e140ef";
    const body = createEventEnvelope([createEvent("after it all", { event_id: id })]);
    const { response } = await visit("/monitoring", { method: "POST", body });
    expect(response.status).toBe(200);
    const digest = /digest="([^"]+)"/.exec(response.headers.get("errata-outcome") ?? "")?.[1] ?? "";
    expect(await projectStore.getFreshIssue(digest)).toMatchObject({ digest, count: 1 });
    expect(await projectStore.locateReport(id)).toMatchObject({ digest });
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect({}).not.toHaveProperty("polluted");
    expect([]).not.toHaveProperty("polluted");
  });
});

describe("a slow body", () => {
  const validBody = toBytes(createEventEnvelope([createEvent("drop by drop".padEnd(5_000, "."))]));

  it("of single bytes is accepted like any other", async () => {
    const { response } = await visit(
      "/monitoring",
      streamRequest(createSlowBody(validBody, 1, "close")),
    );
    expect(response.status).toBe(200);
    expect(response.headers.get("errata-outcome")).toContain("accepted");
  });

  it.each([
    { name: "before its first byte", length: 0 },
    { name: "in the middle of its header", length: 1 },
    { name: "in the middle of its event", length: 3_000 },
    { name: "before its last byte", length: validBody.length - 1 },
  ])("that fails $name is reported as truncated", async ({ length }) => {
    const { response, body } = await visit(
      "/monitoring",
      streamRequest(createSlowBody(validBody.subarray(0, length), 1, "fail")),
    );
    expect(response.status).toBe(400);
    expect(JSON.parse(body)).toMatchObject({ reason: "truncated-body" });
    expect(body).not.toContain(PLANTED_SECRET);
  });

  it("that never ends is refused at the size limit", async () => {
    const { response, body } = await visit(
      "/monitoring",
      streamRequest(createSlowBody(validBody, 512, "again")),
    );
    expect(response.status).toBe(413);
    expect(JSON.parse(body)).toMatchObject({ reason: "too-large" });
  });
});

function streamRequest(body: ReadableStream<Uint8Array>): RequestInit {
  return { method: "POST", body };
}

/**
 * The bytes in chunks of `size`, one per read; after the last one the stream
 * ends, fails or starts again.
 */
function createSlowBody(
  whole: Uint8Array,
  size: number,
  end: "close" | "fail" | "again",
): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= whole.length && end === "close") return controller.close();
      if (at >= whole.length && end === "fail") return controller.error(new Error("disconnected"));
      if (at >= whole.length) at = 0;
      controller.enqueue(whole.slice(at, at + size));
      at += size;
    },
  });
}
