import { afterEach, describe, expect, it } from "vitest";
import type {
  FrameResolution,
  ResolvedFrame,
  ResolveRequest,
} from "#src/core/symbolication/resolution.ts";
import type { SourceMapsApi } from "#src/store/objects.ts";
import { visit } from "#support/http/visit.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log } from "#support/store/store.ts";

afterEach(() => emptyStore());

const DIGEST = "7F3K-Q2M9";
const SCRIPT = "https://shop.example/assets/index-Cepvnn19.js";
const frame = { file: SCRIPT, line: 3, column: 868, function: "e.parse", inApp: true };
const resolved: ResolvedFrame = {
  kind: "resolved",
  file: "src/money.js",
  mapSource: "webpack://shop/./src/money.js",
  line: 11,
  column: 13,
  function: "Money.parse",
  inApp: true,
  source: "      throw new RangeError(text);",
  sourceBefore: ["    if (!valid)"],
  sourceAfter: ["    }"],
  matchedBy: "debug-id",
};
const library: ResolvedFrame = {
  ...resolved,
  file: "node_modules/react-dom/client.js",
  function: "dispatch",
  inApp: false,
};
const missing: FrameResolution = { kind: "unmapped", reason: "nothing-uploaded" };

/** A store without deploys and commits. */
function mapsWith(resolveStacks: SourceMapsApi["resolveStacks"]) {
  const readReleases = async () => ({ deploys: [], commits: [] });
  const listReleaseFacts = async () => [];
  return { resolveStacks, readReleases, listReleaseFacts } as unknown as SourceMapsApi;
}

/** A store that gives these answers to the frames of each stack, and keeps the questions. */
function answering(...answers: readonly FrameResolution[]) {
  const requests: ResolveRequest[] = [];
  const resolveStacks = async (request: ResolveRequest) => {
    requests.push(request);
    return request.stacks.map((stack) => stack.map((_, n) => answers[n] ?? missing));
  };
  return { requests, services: { sourceMaps: mapsWith(resolveStacks) } };
}

const unavailable = {
  services: {
    sourceMaps: mapsWith(() => Promise.reject(new Error("no object"))),
  },
};

const read = async (path: string, options: object) =>
  (await visit(`/d/${DIGEST}${path}`, options)).body;
const toText = (html: string) => html.replace(/<!--.*?-->/g, "").replace(/<[^>]*>/g, " ");
const findStack = (html: string) => /<section data-stack-url=.*?<\/section>/s.exec(html)?.[0] ?? "";

describe("the stack of a report", () => {
  it("is shown in the original source, with its lines, and libraries folded by their sources", async () => {
    await log.append([createReport(1, { frames: Array(4).fill(frame) })]);
    const { services } = answering(resolved, library, library, resolved);
    const html = findStack(await read("", { services }));
    expect(toText(html)).toMatch(/Money\.parse\s+src\/ money\.js\s+:11:13\s+threw/);
    expect(html).toContain('title="webpack://shop/./src/money.js"');
    expect(html).toContain('<ol class="source" start="10">');
    expect(html.match(/<ol class="source"/g)).toHaveLength(2);
    expect(toText(html)).toMatch(/2\s+library frames\s+react-dom/);
    expect(html).not.toContain("e.parse");
  });

  it("has a link to the stack as it was sent, which asks no map", async () => {
    await log.append([createReport(1, { frames: [frame] })]);
    const { services, requests } = answering(resolved);
    const original = findStack(await read("", { services }));
    expect(original).toContain(`href="?report=${toReportId(1)}&amp;raw=1#report"`);
    const asSent = findStack(await read(`?report=${toReportId(1)}&raw=1`, { services }));
    expect(toText(asSent)).toMatch(/e\.parse.*index-Cepvnn19\.js/s);
    expect(asSent).toContain(`href="?report=${toReportId(1)}#report"`);
    expect(requests).toHaveLength(1);
  });

  it("asks once for the error and all of its causes", async () => {
    const cause = { type: "Error", message: "no price", frames: [frame, frame] };
    await log.append([
      createReport(1, { frames: [frame], causes: [cause], release: "shop@1.4.0" }),
    ]);
    const { services, requests } = answering(resolved, resolved);
    const html = await read("", { services });
    expect(requests).toMatchObject([{ release: "shop@1.4.0", stacks: [[{}], [{}, {}]] }]);
    expect(toText(html.slice(html.indexOf('data-error="1"')))).toContain("Money.parse");
  });

  it("is shown as it was sent while the maps are not available, and says so", async () => {
    await log.append([createReport(1, { frames: [frame] })]);
    const html = findStack(await read("", unavailable));
    expect(toText(html)).toMatch(/Source maps are temporarily unavailable\..*e\.parse/s);
  });

  it("says once why it is minified, with the command that helps", async () => {
    await log.append([createReport(1, { frames: [frame, frame], release: "shop@1.4.0" })]);
    const html = findStack(await read("", answering()));
    expect(html.match(/class="frame-advice"/g)).toHaveLength(1);
    expect(toText(html)).toContain("nothing was uploaded for release shop@1.4.0.");
    expect(html).toContain(
      'data-copy="sentry-cli sourcemaps upload --project 1 --release shop@1.4.0',
    );
    expect(html).not.toContain("stack-switch");
  });

  it("marks a frame whose map may be another one's", async () => {
    await log.append([createReport(1, { frames: [frame, frame] })]);
    const answers = [
      { ...resolved, matchedBy: "name" },
      { ...resolved, matchedBy: "release", otherDist: "<b>7" },
    ] as const;
    const text = toText(findStack(await read("", answering(...answers))));
    expect(text).toContain("matched by file name");
    expect(text).toMatch(/uploaded for dist\s+&lt;b&gt;7/);
  });

  it.each([
    ["javascript:alert(1)//"],
    ["</script><script>alert(1)</script>.js"],
    ["\u202egnp.js"],
    ["data:text/html,<i>"],
    ['" onmouseover="alert(1)'],
  ])("shows the source name %j as text, never as a link or markup", async (name) => {
    await log.append([createReport(1, { frames: [frame] })]);
    const hostile = { ...resolved, file: name, mapSource: name, function: name, source: name };
    const html = findStack(await read("", answering(hostile)));
    expect(html).not.toMatch(/href="(?:javascript|data):/);
    expect(html).not.toMatch(/<script|<i>|onmouseover="/);
    expect(html).toMatch(/<bdi class="function">/);
  });
});

describe("the report of the other side", () => {
  it("shows its top frames in the original source", async () => {
    await log.append([
      createReport(1, { request: { url: "https://shop.example/" } }),
      createReport(2, { isLinked: true, side: "browser", frames: [frame] }),
    ]);
    const html = await read("", answering(resolved));
    const cards = html.match(/<section class="counterpart".*?<\/section>/gs) ?? [];
    expect(toText(cards.at(-1) ?? "")).toMatch(/Money\.parse\s+money\.js:11/);
  });
});

describe("programs", () => {
  it("get the frames as sent and in the original source", async () => {
    const cause = { type: "Error", message: "no price", frames: [frame] };
    await log.append([createReport(1, { frames: [frame, frame], causes: [cause] })]);
    const { services, requests } = answering(resolved);
    const { reports } = JSON.parse(await read(".json", { services }));
    expect(reports[0]).toMatchObject({
      symbolication: "resolved",
      frames: [frame, frame],
      resolvedFrames: [
        { kind: "resolved", file: "src/money.js", matchedBy: "debug-id" },
        { kind: "unmapped", reason: "nothing-uploaded", advice: { problem: expect.any(String) } },
      ],
      causes: [{ frames: [frame], resolvedFrames: [{ file: "src/money.js" }] }],
    });
    const one = JSON.parse(await read(`.json?report=${toReportId(1)}`, { services }));
    expect(one.resolvedFrames).toHaveLength(2);
    expect(requests).toHaveLength(2);
  });

  it("ask once for ten reports of a build", async () => {
    await log.append(
      Array.from({ length: 10 }, (_, n) => createReport(n, { frames: [frame], release: "1" })),
    );
    const { services, requests } = answering(resolved);
    const { reports } = JSON.parse(await read(".json", { services }));
    expect(reports).toHaveLength(10);
    for (const report of reports) expect(report.resolvedFrames).toMatchObject([resolved]);
    expect(requests).toHaveLength(1);
  });

  it("get Markdown with the original stack, its lines and what is missing", async () => {
    await log.append([createReport(1, { frames: [frame, frame], release: "shop@1.4.0" })]);
    const markdown = await read(".md", answering(resolved));
    expect(markdown).toContain(`    at Money.parse (src/money.js:11:13)
          10 |     if (!valid)
      >   11 |       throw new RangeError(text);
          12 |     }`);
    expect(markdown).toMatch(/- `No map for index-Cepvnn19\.js.*` Upload .* `sentry-cli /);
    expect(await read(".md?raw=1", answering(resolved))).toContain("at e.parse (https://");
    expect(await read(".md", unavailable)).toContain("Source maps are temporarily unavailable");
  });

  it("get 200 and the frames as sent while the maps are not available", async () => {
    await log.append([createReport(1, { frames: [frame] })]);
    const { reports } = JSON.parse(await read(".json", unavailable));
    expect(reports).toMatchObject([{ symbolication: "unavailable", frames: [frame] }]);
  });
});

describe("lines of source", () => {
  it.each([
    ["receipt", `/e/${DIGEST}`],
    ["receipt as JSON", `/e/${DIGEST}.json`],
    ["export", "/export"],
    ["list of issues", "/issues"],
    ["live page", "/live"],
    ["lookup", "/lookup.json?q=the+price+of+the+cart"],
  ])("are not in the %s", async (_, path) => {
    await log.append([createReport(1, { frames: [frame] })]);
    const { services, requests } = answering(resolved);
    const { response, body } = await visit(path, { services });
    expect(response.status).toBeLessThan(400);
    expect(body).not.toContain("throw new RangeError");
    expect(requests).toEqual([]);
  });
});
