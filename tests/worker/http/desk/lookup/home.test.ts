import { afterEach, expect, it } from "vitest";
import { createUserSketch } from "#src/core/hyperloglog.ts";
import { TRUST_LEVELS, type Trust } from "#src/core/trust/trust.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { sendAs } from "#support/http/send-as.ts";
import { visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { toErrorDigest } from "#support/store/many-issues.ts";
import { log, NOW_MS } from "#support/store/store.ts";

afterEach(() => emptyStore());

/** After the clock of the index, so that the issue is new. */
const LATER_MS = Date.UTC(2106, 0, 1);

it("the home page counts the public reports of a new issue once, like the issue list", async () => {
  const times = { occurredAtMs: LATER_MS, receivedAtMs: LATER_MS };
  await log.append([1, 2, 3].map((n) => createReport(n, { ...times, trust: "public" })));
  const { body } = await visit("/?streaming=off", { headers: { accept: "text/html" } });
  const text = body.replace(/<!--.*?-->/g, "");
  expect(text).toContain("Errors, 24 hours");
  expect(/(\d+) times?, <time/.exec(text)?.[1]).toBe("3");
});

it("the home page counts the errors of all levels, and stacks servers and browsers", async () => {
  const now = { occurredAtMs: NOW_MS, receivedAtMs: NOW_MS };
  const send = (from: number, count: number, trust: Trust) =>
    log.append(
      Array.from({ length: count }, (_, n) =>
        createReport(from + n, {
          ...{ ...now, trust, release: `${trust}@${n}` },
          digest: toErrorDigest(from),
        }),
      ),
    );
  await send(0, 2, "server");
  await send(100, 30, "page");
  await send(200, 40, "public");
  const { body } = await visit("/?streaming=off", {
    headers: { accept: "text/html" },
    services: { nowMs: () => NOW_MS },
  });
  const text = body
    .replace(/<!--.*?-->/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
  expect(text).toContain("Errors, 24 hours 72 none yesterday");
  expect(text).toContain("Errors per hour, UTC Server 2 Browser 70");
  expect(text).toContain("72 errors , 70 in browsers");
  expect(body).toContain("72 errors in the last 24 hours, at most 72 per hour.");
  expect(text).toContain("Release server@1");
  expect(text).toContain("Release page@29");
  // Anyone can invent names.
  expect(text.match(/Release public@/g)).toHaveLength(4);
});

it("the home page has no crash-free rate of strangers for a release that a server named", async () => {
  await log.append([createReport(1, { release: "shop@1" })]);
  const readHome = async () =>
    (await visit("/?streaming=off", { services: { nowMs: readNowMs } })).body;
  const crash = (release: string) =>
    sendAs(
      "public",
      `{}\n{"type":"sessions"}\n${JSON.stringify({ aggregates: [{ crashed: 9 }], attrs: { release } })}\n`,
    );
  await crash("shop@1");
  expect(await readHome()).not.toContain("Crash-free today");
  await crash("shop@2");
  expect(await readHome()).toContain("<small> of sessions with a public key or none</small>");
});

it("the home page counts each affected user of the issues of a day once", async () => {
  const createUser = (n: number) => createUserSketch(Uint8Array.of(n, n, n, n, n));
  const times = { occurredAtMs: LATER_MS, receivedAtMs: LATER_MS };
  await log.append([
    ...[1, 2, 3].map((n) => createReport(n, { ...times, userSketch: createUser(n) })),
    ...[3, 4].map((n) =>
      createReport(10 + n, { ...times, digest: "0000-0000", userSketch: createUser(n) }),
    ),
    createReport(20, { ...times, digest: "0000-1001", trust: "public", userSketch: createUser(9) }),
  ]);
  const { body } = await visit("/?streaming=off", {
    headers: { accept: "text/html" },
    services: { nowMs: () => LATER_MS + 1 },
  });
  expect(body.replace(/<!--.*?-->/g, "")).toContain("<dt>Affected users</dt><dd>about 5 <");
});

it("the home page counts the new issues of all levels, up to a limit", async () => {
  const times = { occurredAtMs: LATER_MS, receivedAtMs: LATER_MS };
  for (const [from, trust] of TRUST_LEVELS.entries()) {
    await log.append(
      Array.from({ length: from + 1 }, (_, n) =>
        createReport(100 * from + n, { ...times, trust, digest: toErrorDigest(100 * from + n) }),
      ),
    );
  }
  const services = { nowMs: () => LATER_MS + 1 };
  const { body } = await visit("/?streaming=off", { services });
  const home = body.replace(/<!--.*?-->/g, "");
  expect(home).toContain("<dt>New issues</dt><dd>6<");
  expect(home).toContain(">6 issues</a>");
});

it("one new issue is one issue", async () => {
  await log.append([createReport(1, { occurredAtMs: LATER_MS, receivedAtMs: LATER_MS })]);
  const { body } = await visit("/?streaming=off");
  expect(body.replace(/<!--.*?-->/g, "")).toContain(">1 issue</a>");
});
