/** Where an issue fails in the original source, on every page that lists issues. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { toPlaceUrl } from "#src/ui/urls/issue-urls.ts";
import { toLookupUrl } from "#src/ui/urls/lookup-urls.ts";
import { toReceiptUrl } from "#src/ui/urls/receipt-urls.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { eventually } from "#support/eventually.ts";
import { visit } from "#support/http/visit.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import {
  createThrowingFrame,
  runAlarm,
  sourceMaps,
  uploadBuild,
} from "#support/source-maps/uploads.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log, NOW_MS, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const DIGEST = "7F3K-Q2M9";
const read = async (path: string, options = {}) => (await visit(path, options)).body;
const toText = (html: string) =>
  html
    .replace(/<!--.*?-->/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");

beforeEach(async () => {
  await uploadBuild("cart", {
    release: "1.4.0",
  });
  await runAlarm();
  const inFunction = [{ ...createThrowingFrame("cart"), inApp: true }];
  const inModule = [{ ...createThrowingFrame("cart"), line: 2, column: 1, inApp: true }];
  await log.append([
    createReport(1, { release: "1.4.0", frames: inFunction }),
    createReport(2, { release: "1.4.0", frames: inModule }),
    createReport(3, { release: "1.4.0", frames: inFunction }),
    createReport(4, { digest: "0000-0000", frames: [] }),
  ]);
  await eventually(async () => {
    const { stacks } = (await projectStore.getFreshIssue(DIGEST)) ?? {};
    expect(stacks?.values.every(({ place }) => place !== undefined)).toBe(true);
  });
});

it("the place of an issue takes the place of its minified culprit", async () => {
  expect(toText(await read("/issues"))).toContain("cart.ts:2 in fail");
  const page = await read(`/d/${DIGEST}?streaming=off`);
  expect(toText(/<div class="issue-location".*?<\/div>/s.exec(page)?.[0] ?? "")).toContain(
    "cart.ts:2 in fail",
  );
  expect(await read(`/d/${DIGEST}.md`)).toContain("Where: `cart.ts:2 in fail`");
});

it("a live row shows the place of its report, where the issue has no other", async () => {
  const frames = [{ ...createThrowingFrame("cart"), inApp: true }];
  await log.append([createReport(5, { digest: "0000-1001", release: "1.4.0", frames })]);
  await eventually(async () => {
    const live = toText(await read("/live?streaming=off"));
    expect(live).toContain("server cart.ts:2 in fail 1.4.0");
    expect(live.match(/cart\.js/g)).toHaveLength(3);
  });
});

it("an issue shows its places with their reports, and says that they may be different", async () => {
  const page = await read(`/d/${DIGEST}?streaming=off`);
  const places = toText(/<section id="places".*?<\/section>/s.exec(page)?.[0] ?? "");
  expect(places).toMatch(/fail src\/cart\.ts :2 2 reports in 1\.4\.0/);
  expect(places).toMatch(
    /<module> src\/cart\.ts :4 1 report|&lt;module&gt; src\/cart\.ts :4 1 rep/,
  );
  expect(places).toContain("give them different messages or fingerprints");
  const json = JSON.parse(await read(`/d/${DIGEST}.json`));
  expect(json.places).toEqual([
    {
      file: "src/cart.ts",
      line: 2,
      function: "fail",
      release: "1.4.0",
      count: 2,
      firstSeen: expect.any(String),
      lastSeen: expect.any(String),
      reportIds: [toReportId(3), toReportId(1)],
      key: "src/cart.ts:2 fail",
      url: toPlaceUrl(DIGEST, "src/cart.ts:2 fail"),
    },
    {
      file: "src/cart.ts",
      line: 4,
      function: "<module>",
      release: "1.4.0",
      count: 1,
      firstSeen: expect.any(String),
      lastSeen: expect.any(String),
      reportIds: [toReportId(2)],
      key: "src/cart.ts:4 <module>",
      url: toPlaceUrl(DIGEST, "src/cart.ts:4 <module>"),
    },
  ]);
  expect(page).toContain(`href="${toPlaceUrl(DIGEST, "src/cart.ts:4 <module>")}"`);
  expect(json).not.toHaveProperty("stacks");
  expect(await read("/d/0000-0000?streaming=off")).not.toContain('id="places"');
});

it("a link shows the reports of one place alone, as a page and as JSON", async () => {
  const [path = ""] = toPlaceUrl(DIGEST, "src/cart.ts:4 <module>").split("#");
  const page = await read(`${path}&streaming=off`);
  const filter = toText(/<section id="place".*?<\/section>/s.exec(page)?.[0] ?? "");
  expect(filter).toContain("Only cart.ts:4 in &lt;module&gt; : 1 of 3 reports");
  expect(page).toContain(`aria-current="true"`);
  expect(page).toContain(toReportId(2));
  const json = JSON.parse(await read(path.replace("?", ".json?")));
  expect(json.reports.map(({ id }: { id: string }) => id)).toEqual([toReportId(2)]);
  expect(json.count).toBe(3);
  expect(await read(`/d/${DIGEST}?place=nowhere&streaming=off`)).toContain(
    "No known report of this",
  );
});

it.each(["cart.ts:2", "src/cart.ts:2", "fail"])("pasting %s leads to the issue", async (text) => {
  const { response } = await visit(toLookupUrl(text));
  expect(response.headers.get("location")).toBe(`/d/${DIGEST}`);
});

it.each([
  [`/d/${DIGEST}`, () => NOW_MS],
  // The index reads the figures of the home page by its own clock.
  ["/", readNowMs],
])("the chart of %s marks the deploys of releases", async (path, nowMs) => {
  const deploy = { environment: "production", finishedMs: nowMs() - 600_000 };
  await sourceMaps.changeRelease({ version: "1.4.0", deploy });
  const page = await read(`${path}?streaming=off`, { services: { nowMs } });
  expect(page).toContain("Deploys: 1.4.0 to production, ");
  expect(page).toMatch(/<line class="mark" data-kind="deploy"/);
});

it("the public receipt names no place", async () => {
  const receipt = await read(toReceiptUrl(DIGEST));
  expect(receipt).toContain(DIGEST);
  expect(receipt).not.toContain("cart.ts");
});
