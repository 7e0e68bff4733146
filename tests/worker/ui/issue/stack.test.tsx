import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { aggregateReport } from "#src/core/issue/aggregate-report.ts";
import { summarizeReport } from "#src/core/report/report-summary.ts";
import type { Frame, Json, Report } from "#src/core/report.ts";
import { ReportView } from "#src/ui/issue/report/report-view.tsx";
import { createReport } from "#support/reports/reports.ts";
import { NOW_MS } from "#support/store/store.ts";

const own = (n: number): Frame => ({
  function: `step${n}`,
  file: `/srv/step-${n}.ts`,
  line: 7,
  inApp: true,
  source: 'throw new Error("no");',
});
const library: Frame = { ...own(0), file: "/srv/node_modules/pg/index.js", inApp: false };
const NINE = Array.from({ length: 9 }, (_, n) => own(n));

const strip = (html: string) =>
  html
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();

function render(over: Partial<Report>, isAllOpen = false): string {
  const report = createReport(1, over);
  const issue = aggregateReport(undefined, summarizeReport(report, "p"), NOW_MS);
  const props = { report, issue, symbolication: null, isAllOpen };
  return renderToStaticMarkup(<ReportView {...props} />);
}

const countOpen = (html: string) =>
  html.match(/<li class="frame"[^>]*><details open=""/g)?.length ?? 0;

describe("a stack", () => {
  it("opens the frame that threw, and the first frame of each cause", () => {
    const causes = [{ type: "Error", message: "m", frames: NINE.slice(0, 3) }];
    expect(countOpen(render({ frames: NINE }))).toBe(1);
    expect(countOpen(render({ frames: NINE, causes }))).toBe(2);
  });

  it("opens the first frame of the application too if a library threw", () => {
    const html = render({ frames: [library, ...NINE] });
    expect(countOpen(html)).toBe(2);
    expect(html.indexOf("step0")).toBeLessThan(html.indexOf("step1"));
  });

  it("opens all frames at the address of its link, without scripts", () => {
    const html = render({ frames: [...NINE, library, library] });
    expect(html).toMatch(/href="\?report=[^"]+&amp;open=1#report">Open all</);
    const open = render({ frames: [...NINE, library, library] }, true);
    expect(countOpen(open)).toBe(11);
    expect(open).toMatch(/href="\?report=[^"&]+#report">Close all</);
    expect(open).not.toContain("<details><summary><bdi");
  });

  it("has nothing to open if the report has neither source nor variables", () => {
    const { source: _, ...bare } = own(1);
    const html = render({ frames: [bare, bare] });
    expect(html).not.toContain("Open all");
    expect(countOpen(html)).toBe(0);
  });

  it("colors its source", () => {
    expect(render({ frames: [own(1)] })).toContain(
      '<span data-token="keyword">throw</span> <span data-token="keyword">new</span> Error(' +
        '<span data-token="string">&quot;no&quot;</span>);',
    );
  });

  it("shows the variables of an open frame, the first six at once", () => {
    const vars = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`name${n}`, n]));
    const html = render({ frames: [{ ...own(1), vars }] });
    expect(html).toContain("Local variables");
    expect(html).toContain("<summary>2 more</summary>");
    expect(html.match(/name\d/g)).toHaveLength(16);
  });

  it("says that a frame threw only if something was thrown", () => {
    expect(render({ frames: [own(1)] })).toContain("threw</span>");
    const message = render({ frames: [own(1)], kind: "message" });
    expect(message).toContain("here</span>");
    expect(message).not.toContain("threw");
  });
});

describe("a CSP violation", () => {
  const toText = (html: string) => html.replaceAll(/<[^>]*>/g, "").replaceAll("&#x27;", "'");
  const csp = { kind: "csp", type: "script-src-elem", frames: [] } as const;
  const request = { url: "https://shop.example/help" };

  it("is a sentence, with a link that tests a policy which allows it", () => {
    const html = render({
      ...{ ...csp, request, blockedUri: "https://chat.example/a.js" },
      detail: { originalPolicy: "script-src 'self'" },
    });
    expect(toText(html)).toContain(
      "The page /help may load scripts from 'self' only, but asked for https://chat.example/a.js.",
    );
    const policy = encodeURIComponent("script-src 'self' https://chat.example");
    expect(html.replaceAll("+", "%20")).toContain(`/csp?policy=${policy.replaceAll("'", "%27")}`);
  });

  it("is a sentence without the policy too", () => {
    expect(toText(render({ ...csp, request, blockedUri: "https://chat.example/a.js" }))).toContain(
      "The page /help may not load scripts from https://chat.example/a.js.",
    );
    expect(toText(render({ ...csp, blockedUri: "inline" }))).toContain(
      "A page contains an inline script, which its policy forbids.",
    );
  });
});

describe("the errors below the error of a report", () => {
  const error = (type: string, over: object = {}) => ({
    ...{ type, message: `no ${type}`, frames: [own(1)] },
    ...over,
  });
  const renderCauses = (over: Partial<Report>, isAllOpen = false) =>
    /<section class="causes">.*?<\/section>/s.exec(render(over, isAllOpen))?.[0] ?? "";
  const listTabs = (over: Partial<Report>) =>
    [...render(over).matchAll(/<label>(.*?)<\/label>/gs)].map(([, tab = ""]) => ({
      text: strip(tab),
      isShown: tab.includes("checked"),
    }));
  const listPanels = (over: Partial<Report>) =>
    [...render(over).matchAll(/class="error" data-error="(\d)"/g)].map(([, n]) => Number(n));

  it("are a row of tabs with the root first, which is shown, and a stack for each", () => {
    const report = { type: "E", message: "m", frames: [own(2)], causes: [error("A"), error("B")] };
    expect(listTabs(report)).toEqual([
      { text: "B no B", isShown: true },
      { text: "caused A no A", isShown: false },
      { text: "caused E m", isShown: false },
    ]);
    expect(listPanels(report)).toEqual([2, 1, 0]);
    expect(renderCauses(report)).toBe("");
  });

  it.each([
    ["the nearest one to the root that has a stack", [], [own(1)], [], "caused A no A"],
    ["the root if none has a stack", [], [], [], "B no B"],
  ])("show %s", (_, ofReport, ofCause, ofRoot, shown) => {
    const causes = [error("A", { frames: ofCause }), error("B", { frames: ofRoot })];
    const tabs = listTabs({ frames: ofReport, causes });
    expect(tabs.filter(({ isShown }) => isShown).map(({ text }) => text)).toEqual([shown]);
  });

  it.each([
    ["an error that Python was handling", { isContext: true }, "while handling it E m"],
    ["an error that Go wraps", { frames: [{ ...own(1), file: "shop/cart.go" }] }, "wrapped by E m"],
    ["a cause", {}, "caused E m"],
  ])("are linked in the words of the language: %s", (_, over, text) => {
    const report = { type: "E", message: "m", causes: [error("A", over)] };
    expect(listTabs(report)[1]?.text).toBe(text);
  });

  it("have no tabs if there is one error, and list suppressed errors below their own", () => {
    expect(listTabs({ frames: [own(1)] })).toEqual([]);
    const causes = [error("A"), error("S", { parent: 0, isSuppressed: true })];
    expect(listTabs({ type: "E", message: "m", causes }).map(({ text }) => text)).toEqual([
      "A no A",
      "caused E m",
    ]);
    expect(strip(renderCauses({ type: "E", message: "m", causes }))).toMatch(/^Suppressed S no S /);
  });

  it("are members of a group, of which the first is open, each with its causes", () => {
    const causes = [
      error("A", { parent: 0, typeModule: "shop.errors" }),
      error("C", { parent: 0 }),
      error("B", { parent: 1 }),
    ];
    const html = renderCauses({ isGroup: true, causes });
    expect(strip(html)).toMatch(
      /^Members \(2\) shop\.errors\. A no A .* Caused by B no B .* C no C /,
    );
    const [, first = "", second = ""] = html.split("<li><details");
    expect(first).toMatch(/^ data-error="1" open=""/);
    expect(first).toContain('<div class="cause" data-error="3">');
    expect(second).toMatch(/^ data-error="2"><summary>/);
    expect(renderCauses({ isGroup: true, causes }, true)).toContain('data-error="2" open=""');
  });

  it("do not repeat endlessly if a parent is wrong", () => {
    expect(listPanels({ causes: [error("A", { parent: 9 }), error("B", { parent: 2 })] })).toEqual([
      2, 1, 0,
    ]);
  });

  it("have the stack of their own resolution", () => {
    const resolved = {
      kind: "resolved",
      file: "src/b.ts",
      mapSource: "src/b.ts",
      line: 1,
      column: 1,
      inApp: true,
    };
    const report = createReport(1, {
      frames: [],
      causes: [error("A", { frames: [] }), error("B")],
    });
    const issue = aggregateReport(undefined, summarizeReport(report, "p"), NOW_MS);
    const symbolication = { state: "resolved", stacks: [[], [], [resolved]] } as never;
    const html = renderToStaticMarkup(<ReportView {...{ report, issue, symbolication }} />);
    const panel = html.slice(html.indexOf('data-error="2"'), html.indexOf('data-error="1"'));
    expect(panel).toContain("<b>b.ts</b>");
  });
});

describe("the parts of a report", () => {
  it("have the template of a message and its parameters", () => {
    const template = (params: Json) =>
      strip(render({ kind: "message", template: { text: "User %s: %s", params } }));
    expect(template(["ada", { n: 1 }])).toContain(
      "Template User %s: %s Parameters 1 ada 2 {&quot;n&quot;:1}",
    );
    expect(template({ user: "ada" })).toContain("Parameters user ada");
    expect(template("ada")).not.toContain("Parameters");
  });

  it("have the module of the type, muted, below the stack", () => {
    const text = strip(
      render({ type: "ConnectionError", typeModule: "requests", frames: [own(1)] }),
    );
    expect(text).toContain("requests. ConnectionError , Most recent call first");
  });

  it("say why an attachment was not kept", () => {
    const attachments = [
      { name: "a.bin", bytes: 5_000_000, notKept: "too-large" },
      { name: "b.txt", bytes: 7, notKept: "over-count" },
    ] as const;
    const text = strip(render({ attachments }));
    expect(text).toContain("a.bin 5 MB (not kept: too large)");
    expect(text).toContain("b.txt 7 bytes (not kept: a report keeps 10)");
  });

  it("say in words what was cut", () => {
    expect(strip(render({ truncated: ["frames", "tags"] }))).toContain(
      "Cut to the limits: frames in the middle of the stack, further tags.",
    );
  });
});
