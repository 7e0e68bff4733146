// Pasted paths, hosts, frames and stacks in the list of issues and in the lookup.

import { afterEach, describe, expect, it } from "vitest";
import { parseIssueQuery } from "#src/core/issue/issue-query.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const frame = (file: string, name: string, module?: string) => ({
  ...{ file, function: name, module, line: 42, inApp: true },
});

const ERRORS = [
  createReport(1, {
    digest: "0000-0001",
    platform: "dotnet",
    type: "FileNotFoundException",
    typeModule: "System.IO",
    message: "Could not find file 'C:\\Program Files (x86)\\Potter\\kilns.dat'.",
    frames: [frame("D:\\a\\Potter\\Kilns\\Loader.cs", "LoadKilns", "Potter.Kilns.Loader")],
  }),
  createReport(2, {
    digest: "0000-0002",
    platform: "python",
    type: "ConnectionError",
    message: "could not reach inventory-api:3099 for restock",
    frames: [frame("/srv/pots/restock.py", "pull_stock", "pots.restock")],
  }),
  createReport(3, {
    digest: "0000-0003",
    platform: "python",
    type: "TemplateRenderError",
    message: "no glaze chart for season",
    frames: [frame("/srv/pots/views.py", "render_chart")],
  }),
  createReport(4, {
    digest: "0000-0004",
    platform: "java",
    type: "IllegalArgumentException",
    typeModule: "java.lang",
    message: "Kiln number must be positive",
    frames: [frame("KilnRegistry.java", "register", "com.acme.kilns.KilnRegistry")],
  }),
  createReport(5, {
    digest: "0000-0005",
    platform: "dotnet",
    type: "InvoiceLockedException",
    typeModule: "Potter.Billing",
    message: "Invoice was already closed by audit",
    frames: [frame("/src/Billing/Closer.cs", "CloseAsync", "Potter.Billing.Closer")],
  }),
  createReport(6, {
    digest: "0000-0006",
    platform: "go",
    type: "*errors.errorString",
    message: "pot ledger: checksum mismatch",
    frames: [
      frame("/build/pots/ledger/verify.go", "(*Ledger).Verify", "github.com/acme/pots/ledger"),
    ],
  }),
  createReport(7, {
    digest: "0000-0007",
    platform: "ruby",
    type: "NoMethodError",
    message: "undefined method `fire!' for nil:NilClass",
    frames: [frame("app/models/bisque_load.rb", "fire_all")],
  }),
  createReport(8, {
    digest: "0000-0008",
    platform: "native",
    type: "EXC_BREAKPOINT",
    message: "Swift runtime failure",
    frames: [frame("KilnDetailView.swift", "KilnDetailView.reloadGauge()")],
  }),
  createReport(9, {
    digest: "0000-0009",
    platform: "javascript",
    type: "Error",
    message: "ENOENT: no such file or directory, open '/srv/pots/data/kilns.json'",
    frames: [frame("/srv/pots/dist/lib/kilnStore.js", "KilnStore.loadAll")],
  }),
  createReport(10, {
    digest: "0000-000A",
    type: "TypeError",
    message: "Cannot read properties of null (reading 'glaze')",
    frames: [frame("https://pots.example/src/glaze-picker.tsx", "GlazePicker")],
  }),
];

const PASTED: readonly (readonly [text: string, digest: string])[] = [
  ["C:\\Program Files (x86)\\Potter\\kilns.dat", "0000-0001"],
  ['"C:\\Program Files (x86)\\Potter"', "0000-0001"],
  ["D:\\a\\Potter\\Kilns", "0000-0001"],
  ["c:\\program files", "0000-0001"],
  ["C:/Program Files (x86)/Potter/kilns.dat", "0000-0001"],
  ["file:///C:/Program%20Files%20(x86)/Potter/kilns.dat", "0000-0001"],
  ["   at Potter.Kilns.Loader.LoadKilns() in D:\\a\\Kilns\\Loader.cs:line 54", "0000-0001"],
  ["at Potter.Kilns.Loader.LoadKilns() in D:\\a\\Kilns\\Loader.cs:line 54", "0000-0001"],
  ["D:\\a\\Potter\\Kilns\\Loader.cs:line 54", "0000-0001"],
  ["inventory-api:3099", "0000-0002"],
  ["inventory-api:3099/health", "0000-0002"],
  ["http://inventory-api:3099/", "0000-0002"],
  ["https://inventory-api:3099/health?now=1", "0000-0002"],
  ['  File "/srv/pots/views.py", line 93, in render_chart', "0000-0003"],
  [
    `Traceback (most recent call last):
  File "/usr/lib/python3.12/site-packages/flask/app.py", line 880, in full_dispatch_request
    rv = self.dispatch_request()
  File "/srv/pots/views.py", line 93, in render_chart
    raise TemplateRenderError(season)
pots.errors.TemplateRenderError: no glaze chart for season`,
    "0000-0003",
  ],
  ["pots.errors.TemplateRenderError: no glaze chart for season", "0000-0003"],
  [
    `Exception in thread "main" java.lang.IllegalArgumentException: Kiln number must be positive
\tat com.acme.kilns.KilnRegistry.register(KilnRegistry.java:48)
\tat com.acme.Main.main(Main.java:12)`,
    "0000-0004",
  ],
  [
    "at app//com.acme.kilns.KilnRegistry.register(KilnRegistry.java:48) ~[kilns-1.2.jar:?]",
    "0000-0004",
  ],
  [
    "2026-11-28 10:14:03.482 ERROR 1 --- [nio-8080-exec-3] c.a.kilns.KilnRegistry : Kiln number must be positive",
    "0000-0004",
  ],
  ["   bei Potter.Billing.Closer.CloseAsync(Int32 id) in /src/Closer.cs:Zeile 101.", "0000-0005"],
  ["à Potter.Billing.Closer.CloseAsync(Int32 id) dans /src/Closer.cs:ligne 101", "0000-0005"],
  ["at Potter.Billing.Closer.<CloseAsync>d__7.MoveNext()", "0000-0005"],
  ["github.com/acme/pots/ledger.(*Ledger).Verify(0xc000124000)", "0000-0006"],
  ["\t/build/pots/ledger/verify.go:66 +0x1d", "0000-0006"],
  ["app/models/bisque_load.rb:22:in 'BisqueLoad#fire_all'", "0000-0007"],
  ["app/models/bisque_load.rb:22:in `fire_all'", "0000-0007"],
  [
    "3   Potter   0x0000000104a3c2f0 KilnDetailView.reloadGauge() + 188 (KilnDetailView.swift:64)",
    "0000-0008",
  ],
  ["at async KilnStore.loadAll (file:///srv/pots/dist/lib/kilnStore.js:27:9)", "0000-0009"],
  ['TypeError: can\'t access property "glaze", e is null', "0000-000A"],
  ["TypeError: null is not an object (evaluating 'e.glaze')", "0000-000A"],
];

async function list(query: string): Promise<readonly string[]> {
  const { issues } = await projectStore.listIssues(parseIssueQuery(query));
  return issues.map(({ digest }) => digest);
}

describe("pasted text finds its issue in the list, also beside a filter, and in the lookup", () => {
  it.each(PASTED)("%s", async (text, digest) => {
    await log.append(ERRORS);
    expect(await list(text)).toEqual([digest]);
    expect(await list(`is:open ${text}`)).toEqual([digest]);
    expect(await list(`is:resolved ${text}`)).toEqual([]);
    expect(await projectStore.searchIssues(text.trim())).toEqual([digest]);
  });
});

it("the list finds nothing by a part of other text, nor by a stack of other code", async () => {
  await log.append(ERRORS);
  for (const text of [
    "Invoice was already closed by nobody",
    'File "/srv/pots/views.py", line 93, in load_chart',
    "at Potter.Billing.Opener.OpenAsync(Int32 id) in /src/Billing/Opener.cs:line 3",
    "TypeError: Cannot read properties of undefined (reading 'total')",
    "http://inventory-api:4099/health",
    "E:\\other\\place.txt",
  ])
    expect([text, await list(text)]).toEqual([text, []]);
});

it("quoted words are found only next to each other and in this order", async () => {
  await log.append(ERRORS);
  for (const [query, digests] of [
    ['"already closed by"', ["0000-0005"]],
    ['"ALREADY   closed by" invoice', ["0000-0005"]],
    ['"closed already was invoice"', []],
    ['"Invoice closed" audit', []],
    ['"closed', ["0000-0005"]],
    ['is:open Invoice -"already closed"', []],
    ['is:open Invoice -"closed already"', ["0000-0005"]],
  ] as const)
    expect([query, await list(query)]).toEqual([query, digests]);
});
