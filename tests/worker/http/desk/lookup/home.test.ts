// The home page: the sentence, the chart, what needs attention, and the side column.

import { afterEach, describe, expect, it } from "vitest";
import { createUserSketch } from "#src/core/hyperloglog.ts";
import { HOUR_MS, MINUTE_MS } from "#src/core/utc-time.ts";
import type { ProjectStore } from "#src/store/client/project-store.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { sendAs } from "#support/http/send-as.ts";
import { visit } from "#support/http/visit.ts";
import { replaceMethods } from "#support/replace-methods.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { toErrorDigest } from "#support/store/many-issues.ts";
import { log, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const at = (agoMs: number) => {
  const atMs = readNowMs() - agoMs;
  return { occurredAtMs: atMs, receivedAtMs: atMs };
};

async function readHome(path = "/", services = {}) {
  const { body } = await visit(`${path}${path.includes("?") ? "&" : "?"}streaming=off`, {
    headers: { accept: "text/html" },
    services: { nowMs: readNowMs, ...services },
  });
  const html = body.replace(/<!--.*?-->/g, "");
  const text = html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  return { html, text };
}

describe("the first day", () => {
  it("is scaled to the life of the project, and compares nothing", async () => {
    await log.append([
      createReport(1, at(50 * MINUTE_MS)),
      createReport(2, { ...at(10 * MINUTE_MS), digest: toErrorDigest(2), trust: "public" }),
    ]);
    const { html, text } = await readHome();
    expect(text).toContain("2 errors in the first 50 minutes , in 2 issues. Too early to compare.");
    expect(text).toContain("1 error in 1 min");
    const bars = html.match(/<i data-span|<label><input type="radio"/g)?.length;
    expect([51, 52]).toContain(bars);
    expect(text).toMatch(/Server 1 Browser 1 /);
    expect(text).not.toContain("Day before");
    expect(text).toContain("Next steps");
    // Every period is the whole life: there is nothing to choose.
    expect(html).not.toContain('id="period-');
  });

  it("has a form that works without scripts: a bar is a span of time", async () => {
    await log.append([createReport(1, at(50 * MINUTE_MS)), createReport(2, at(9 * MINUTE_MS))]);
    const { html } = await readHome();
    const spans = [...html.matchAll(/type="radio"[^>]*value="(\d+-\d+)"/g)].map(([, one]) => one);
    expect(spans).toHaveLength(2);
    expect(html).toContain('<button type="submit" class="chart-submit">');
    const chosen = await readHome(`/?span=${spans[1]}`);
    expect(chosen.text).toContain("1 issue Show what needs attention");
    expect(chosen.html.match(/data-selected/g)).toHaveLength(1);
    const empty = await readHome(
      `/?span=${readNowMs() - 9 * HOUR_MS}-${readNowMs() - 8 * HOUR_MS}`,
    );
    expect(empty.text).toContain("No known issue occurred in this time.");
  });

  it.each(["x", "5-3", "1-99999999999999999", "<script>"])("ignores the span %s", async (span) => {
    await log.append([createReport(1, at(MINUTE_MS))]);
    expect((await readHome(`/?span=${encodeURIComponent(span)}&period=9y`)).text).toContain(
      "Needs attention",
    );
  });
});

it("is the lookup and the way to connect before the first report", async () => {
  const { text } = await readHome();
  expect(text).toContain("What broke?");
  expect(text).toContain("Connect your app");
});

it("has the lookup in its header, and no second one once there are reports", async () => {
  await log.append([createReport(1, at(0))]);
  const { html } = await readHome();
  expect(html.match(/data-lookup-input/g)).toHaveLength(1);
});

it("lists what needs attention with its reason, the most urgent first, and says how many", async () => {
  const old = at(60 * HOUR_MS);
  await log.append([
    createReport(1, { ...old, digest: toErrorDigest(1) }),
    createReport(2, { ...old, digest: toErrorDigest(2) }),
    createReport(3, { ...old, digest: toErrorDigest(3) }),
    createReport(4, { ...at(HOUR_MS), digest: toErrorDigest(4) }),
  ]);
  await projectStore.decide(toErrorDigest(1), { state: "resolved", by: "Ada" });
  await log.append([createReport(5, { ...at(-MINUTE_MS), digest: toErrorDigest(1) })]);
  await projectStore.annotate(toErrorDigest(2), { change: "assign", to: "me", by: "Bob" });
  const { html, text } = await readHome();
  expect(text).toContain("1 issue regressed, 1 is yours, 1 is new.");
  const kinds = [...html.matchAll(/class="need" data-kind="([^"]*)"/g)].map(([, kind]) => kind);
  expect(kinds).toEqual(["regressed", "assigned", "new"]);
  expect(text).toMatch(/Regressed resolved by Ada /);
  expect(text).toMatch(/Assigned to you by Bob, /);
  expect(text).toContain("All 4 open issues");
  expect(text).toMatch(/From your team.* Bob assigned you /);
});

it("has the releases with the most errors first, and no step that is done", async () => {
  const send = (n: number, agoMs: number, release: string) =>
    createReport(n, { ...at(agoMs), digest: toErrorDigest(n), release });
  await log.append([
    ...[1, 2, 3].map((n) => send(n, 50 * MINUTE_MS, "api@2.1.0")),
    ...[4, 5, 6].map((n) => send(n, n * MINUTE_MS, `worker@0.${n}`)),
  ]);
  const { html, text } = await readHome();
  expect(html.match(/side-release.*?<bdi>(.*?)<\/bdi>/s)?.[1]).toBe("api@2.1.0");
  expect(text).toMatch(/min ago · 3 errors, 3 new/);
  expect(text).toContain("All 6 open issues");
  expect(text).toContain("Upload source maps");
});

it("says when nothing needs anyone, with issues for quiet hours", async () => {
  await log.append(
    [1, 2].map((n) => createReport(n, { ...at(60 * HOUR_MS), digest: toErrorDigest(n) })),
  );
  const { text } = await readHome();
  expect(text).toContain("Nothing needs you. Last error 2 days ago.");
  expect(text).toContain("When there is time");
  expect(text).toMatch(/Oldest open for 2 days/);
});

it("counts the people of the newest issues once", async () => {
  const createUser = (n: number) => createUserSketch(Uint8Array.of(n, n, n, n, n));
  await log.append([
    ...[1, 2, 3].map((n) => createReport(n, { ...at(MINUTE_MS), userSketch: createUser(n) })),
    ...[3, 4].map((n) =>
      createReport(10 + n, { ...at(0), digest: "0000-0000", userSketch: createUser(n) }),
    ),
    createReport(20, { ...at(0), digest: "0000-1001", trust: "public", userSketch: createUser(9) }),
  ]);
  expect((await readHome()).text).toContain("People 5 ");
});

it("marks releases, of those that only browsers named at most four", async () => {
  const send = (from: number, trust: "server" | "public", count: number) =>
    Array.from({ length: count }, (_, n) =>
      createReport(from + n, {
        ...{ ...at(9 * MINUTE_MS), trust, release: `${trust}@${n}.0` },
        digest: toErrorDigest(from),
      }),
    );
  await log.append([...send(0, "server", 2), ...send(100, "public", 9)]);
  const { html } = await readHome();
  expect(html.match(/<title>Release server@/g)).toHaveLength(2);
  expect(html.match(/<title>Release public@/g)).toHaveLength(4);
});

it("has no crash-free rate of few sessions, nor of strangers for a release of a server", async () => {
  await log.append([createReport(1, { ...at(MINUTE_MS), release: "shop@1" })]);
  const send = (trust: "server" | "public", release: string, exited: number, crashed: number) =>
    sendAs(
      trust,
      `{}\n{"type":"sessions"}\n${JSON.stringify({ aggregates: [{ exited, crashed }], attrs: { release } })}\n`,
    );
  await send("public", "shop@1", 900, 90);
  expect((await readHome()).text).toMatch(/shop@1 no sessions/);
  await send("server", "shop@1", 0, 1);
  const few = (await readHome()).text;
  expect(few).toContain("shop@1 too few sessions");
  expect(few).not.toMatch(/\b0 %/);
  await send("server", "shop@1", 99, 0);
  expect((await readHome()).text).toContain("shop@1 99.00 %");
});

it("lists the newest issues while the overview is unavailable", async () => {
  await log.append([createReport(1, at(0))]);
  const unavailable: ProjectStore = replaceMethods(projectStore, {
    readOverview: () => Promise.reject(new Error("unavailable")),
  });
  const { text } = await readHome("/", { projectStore: unavailable });
  expect(text).toContain("The overview is unavailable at the moment.");
  expect(text).toContain("7F3K-Q2M9");
});
