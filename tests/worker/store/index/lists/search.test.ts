import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { parseIssueQuery } from "#src/core/issue/issue-query.ts";
import { limits } from "#src/core/limits.ts";
import { IssueLists } from "#src/store/index/lists/issue-lists.ts";
import { findWordTerms } from "#src/store/index/lists/search-words.ts";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import { IndexTables } from "#src/store/index/state/index-tables.ts";
import { INDEX_SCHEMA } from "#src/store/index/tables/index-schema.ts";
import { openDatabase } from "#src/store/sqlite/database.ts";
import { visit } from "#support/http/visit.ts";
import { createIssue } from "#support/reports/issues.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { recordStatements } from "#support/store/recorded-statements.ts";
import { getIndex, log, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const reports = [
  createReport(1, {
    digest: "0000-0001",
    message: "Cannot read properties of undefined (reading 'total')",
    frames: [{ function: "priceOf", file: "/srv/shop/checkout/price.ts", line: 41, inApp: true }],
    request: { route: "/checkout", url: "https://shop.example/checkout?step=2" },
    tags: [["tenant", "acme"]],
  }),
  createReport(2, { digest: "0000-0002", type: "RangeError", message: "größer als erlaubt" }),
];

describe("a search without a code finds issues", () => {
  it.each([
    { name: "by words of the message", text: "properties of undefined", digest: "0000-0001" },
    { name: "by the type in any case", text: "rangeerror", digest: "0000-0002" },
    {
      name: "by a stack frame with line numbers",
      text: "at priceOf (/srv/shop/checkout/price.ts:39:2)",
      digest: "0000-0001",
    },
    { name: "by the beginning of a word", text: "checko", digest: "0000-0001" },
    { name: "by a tag", text: "tenant acme", digest: "0000-0001" },
    { name: "by words with letters beyond ASCII", text: "größer", digest: "0000-0002" },
  ])("$name", async ({ text, digest }) => {
    await log.append(reports);
    expect(await projectStore.searchIssues(text)).toEqual([digest]);
    const { response } = await visit(`/lookup?q=${encodeURIComponent(text)}`);
    expect([response.status, response.headers.get("location")]).toEqual([303, `/d/${digest}`]);
  });

  it("only if all its words match", async () => {
    await log.append(reports);
    expect(await projectStore.searchIssues("properties of nothing")).toEqual([]);
    expect((await visit("/lookup?q=properties+of+nothing")).response.status).toBe(404);
  });

  it("after a restart before the index received them, and each issue once", async () => {
    await log.append(reports);
    await abortAllDurableObjects();
    await log.append([createReport(3, { ...reports[0], id: createReport(3).id })]);
    expect(await projectStore.searchIssues("checkout")).toEqual(["0000-0001"]);
  });
});

const frame = (file: string, name: string, module?: string) => ({
  ...{ file, function: name, module, line: 42, inApp: true },
});

/** Errors of other runtimes, as their SDKs send them. */
const ERRORS = [
  createReport(1, {
    digest: "0000-0001",
    platform: "python",
    type: "ValueError",
    message: "tariff for zone Zurich is empty",
    frames: [frame("shop/bill.py", "run_bill", "shop.bill")],
  }),
  createReport(2, {
    digest: "0000-0002",
    platform: "java",
    type: "IllegalStateException",
    typeModule: "java.lang",
    message: "ledger is locked by a batch",
    frames: [frame("Ledger.java", "post", "com.acme.Ledger")],
  }),
  createReport(3, {
    digest: "0000-0003",
    platform: "ruby",
    type: "ActiveRecord::RecordNotFound",
    message: "Couldn't find Cart with 'id'=7",
    frames: [frame("app/models/cart.rb", "Cart#total")],
  }),
  createReport(4, {
    digest: "0000-0004",
    platform: "go",
    type: "*errors.errorString",
    message: "stock service at shop.internal:3099 refused",
    frames: [frame("/srv/stock/client.go", "reserveStock", "main")],
  }),
  createReport(5, {
    digest: "0000-0005",
    platform: "dotnet",
    type: "NullReferenceException",
    typeModule: "System",
    message: "Object reference not set to an instance of an object.",
    frames: [frame("C:\\src\\Shop\\Basket.cs", "Sum", "Acme.Shop.Basket")],
  }),
  createReport(6, {
    digest: "0000-0006",
    platform: "php",
    type: "TypeError",
    message: "Argument #1 ($price) must be of type float, null given",
    frames: [frame("/var/www/src/Voucher.php", "App\\Voucher::apply")],
  }),
];

describe("a pasted line or stack of another runtime finds its issue", () => {
  it.each([
    ['  File "/srv/shop/bill.py", line 42, in run_bill', "0000-0001"],
    [
      `Traceback (most recent call last):
  File "/usr/lib/python3.12/site-packages/celery/app/trace.py", line 453, in trace_task
    R = retval = fun(*args, **kwargs)
  File "/srv/shop/bill.py", line 42, in run_bill
    raise ValueError(text)
ValueError: tariff for zone Zurich is empty`,
      "0000-0001",
    ],
    ["> ValueError: tariff for zone Zurich is empty\n> sent from my phone", "0000-0001"],
    ["ValueError: tariff for zone Basel is empty", "0000-0001"],
    [
      "2026-11-21T17:00:00Z ERROR worker-3 ValueError: tariff for zone Zurich is empty",
      "0000-0001",
    ],
    ["java.lang.IllegalStateException: ledger is locked by a batch", "0000-0002"],
    ["Caused by: java.lang.IllegalStateException: ledger is locked by a batch", "0000-0002"],
    ["\tat com.acme.Ledger.post(Ledger.java:77)", "0000-0002"],
    [
      `Exception in thread "main" java.lang.RuntimeException: batch 7 failed
\tat com.acme.Main.main(Main.java:3)
Caused by: java.lang.IllegalStateException: ledger is locked by a batch
\tat com.acme.Ledger.post(Ledger.java:77)
\t... 3 more`,
      "0000-0002",
    ],
    ["ActiveRecord::RecordNotFound (Couldn't find Cart with 'id'=7)", "0000-0003"],
    ["app/models/cart.rb:12:in 'Cart#total'", "0000-0003"],
    ["app/models/cart.rb:12:in `block in total'", "0000-0003"],
    [
      `goroutine 1 [running]:
main.reserveStock(0xc000012120, 0x3)
\t/srv/stock/client.go:41 +0x1d
main.main()
\t/srv/stock/main.go:9 +0x20
exit status 2`,
      "0000-0004",
    ],
    ["stock service at shop.internal:3099 refused", "0000-0004"],
    ["   at Acme.Shop.Basket.Sum(List`1 lines) in C:\\build\\Shop\\Basket.cs:line 42", "0000-0005"],
    [
      `Unhandled exception. System.NullReferenceException: Object reference not set to an instance of an object.
   at Acme.Shop.Basket.Sum(List\`1 lines) in C:\\build\\Shop\\Basket.cs:line 42
   at Program.Main()`,
      "0000-0005",
    ],
    [
      `PHP Fatal error:  Uncaught TypeError: Argument #1 ($price) must be of type float, null given in /var/www/src/Voucher.php:12
Stack trace:
#0 /var/www/public/index.php(9): App\\Voucher->apply(NULL)
#1 {main}
  thrown in /var/www/src/Voucher.php on line 12`,
      "0000-0006",
    ],
    ["#0 /var/www/src/Voucher.php(12): App\\Voucher->apply()", "0000-0006"],
  ])("%s", async (pasted, digest) => {
    await log.append(ERRORS);
    expect(await projectStore.searchIssues(pasted)).toEqual([digest]);
  });

  it("but no greeting, and no line with other words, finds one", async () => {
    await log.append(ERRORS);
    for (const text of [
      "Hello team,\nthe page is empty since Monday.\nsent from my phone",
      "ValueError: invalid literal for int() with base 10: 'abc'",
      'File "/srv/shop/cart.py", line 42, in load_cart',
    ])
      expect(await projectStore.searchIssues(text)).toEqual([]);
  });
});

const SCRIPTS = [
  { message: "支付失败：账户余额不足，请充值", words: ["余额不足", "余额", "账户", "充值", "足"] },
  { message: "サーバーへの接続に失敗しました", words: ["サーバー", "接続", "失敗", "ｻｰﾊﾞｰ"] },
  { message: "การชำระเงินล้มเหลว", words: ["ชำระ", "ล้มเหลว"] },
  { message: "결제가실패했습니다", words: ["결제", "실패"] },
  { message: "Αποτυχία πληρωμής", words: ["αποτυχια πληρωμης", "ΑΠΟΤΥΧΙΑ", "πληρωμής", "πληρω"] },
  { message: "Ошибка расчёта", words: ["расчета", "РАСЧЁТА", "ошибка"] },
  { message: "فَشِلَ الدَّفْعُ إلى الحساب", words: ["فشل", "الدفع", "الى"] },
  { message: "הַתַּשְׁלוּם נכשל", words: ["התשלום"] },
  { message: "größer als der Café-Preis", words: ["grosser", "cafe", "größer", "GRÖSSER"] },
  { message: "MASSSTAB der Straße", words: ["maßstab", "strasse", "STRAẞE", "straße", "stras"] },
  { message: "Płatność odrzucona", words: ["platnosc", "PŁATNOŚĆ", "płatność"] },
  { message: "beløb på smørrebrød", words: ["belob", "smorrebrod", "SMØRREBRØD"] },
  { message: "Đorđe: bæti þessu við", words: ["dorde", "baeti", "thessu", "við", "vid"] },
  { message: "ısıtıcı AÇILMADI", words: ["isitici", "ISITICI", "acilmadi", "açılmadı"] },
  {
    message: "Không thể kết nối",
    words: ["ket noi", "kết nối", "kết nối".normalize("NFD"), "KHÔNG"],
  },
  {
    message: "kết nối".normalize("NFD"),
    words: ["ket noi", "kết nối", "kết nối".normalize("NFD")],
  },
  {
    message: "کاربر نمی\u200cتواند",
    words: ["نمیتواند", "نمی\u200cتواند", "تواند", "كاربر"],
  },
  { message: "کاربر نمیتواند", words: ["نمی\u200cتواند", "نميتواند"] },
  { message: "डेटाबेस से कनेक्शन विफल", words: ["कनेक्शन", "कनेक्शन विफल"] },
];

describe("a word in another script, within a run or without its accents, finds its issue", () => {
  it.each(SCRIPTS)("$message", async ({ message, words }) => {
    await log.append([
      createReport(1, { digest: "0000-0001", message }),
      createReport(2, { digest: "0000-0002", message: "余不额 another 失接 دفع πώληση" }),
    ]);
    for (const word of words) {
      expect([word, await projectStore.searchIssues(word)]).toEqual([word, ["0000-0001"]]);
      // A second condition tests the text of each issue.
      const { issues } = await projectStore.listIssues(parseIssueQuery(`is:open ${word}`));
      expect([word, issues.map(({ digest }) => digest)]).toEqual([word, ["0000-0001"]]);
    }
  });

  it("also in a text that an earlier release stored, which has the word only as it was sent", async () => {
    const message = "Größe: płatność, kết nối, расчёта";
    await log.append([createReport(1, { digest: "0000-0001", message })]);
    await projectStore.listNewestIssues();
    await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
      storage.sql.exec("DELETE FROM issue_search");
      storage.sql.exec("INSERT INTO issue_search(rowid, text) SELECT id, ? FROM issue", message);
    });
    for (const word of ["größe", "płatność", "kết nối", "расчёта"])
      expect([word, await projectStore.searchIssues(word)]).toEqual([word, ["0000-0001"]]);
  });

  it("and is erased with its issue’s text", async () => {
    const [first] = SCRIPTS;
    await log.append([createReport(1, { message: first?.message ?? "" })]);
    await projectStore.searchIssues("余额");
    await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
      const { search } = new IndexTables(storage);
      const last = Number.MAX_SAFE_INTEGER;
      const [found] = search.findContaining("账户余额不足", Number.MIN_SAFE_INTEGER, last);
      const digest = found?.digest ?? "";
      search.addText(digest, "more");
      search.addText(digest, "words");
      const [row] = storage.sql.exec<{ text: string }>("SELECT text FROM issue_search").toArray();
      expect(row?.text.split("余额 额不")).toHaveLength(2);
      search.replace(digest, "erased");
      expect(storage.sql.exec("SELECT text FROM issue_search").toArray()).toEqual([
        { text: "erased" },
      ]);
    });
  });

  it("takes no more rows", async () => {
    const recorder = await recordStatements();
    const count = async (n: number, message: string) => {
      recorder.take();
      await log.append([createReport(n, { digest: `0000-000${n}`, message })]);
      await projectStore.getFreshIssue(`0000-000${n}`);
      return recorder.take().reduce((sum, { rowsWritten }) => sum + rowsWritten, 0);
    };
    await count(1, "the first one");
    const plain = await count(2, "the price of the cart is missing");
    const scripts = await count(3, SCRIPTS.map(({ message }) => message).join(" "));
    expect(scripts).toBeLessThanOrEqual(1.1 * plain);
  });
});

it("a text with a colon is a filter only if a tag has its name", async () => {
  await log.append([
    createReport(1, { digest: "0000-0001", message: "connect ECONNREFUSED localhost:3099" }),
    createReport(2, { digest: "0000-0002", type: "Cart::Missing", tags: [["plan", "gold"]] }),
    createReport(3, { digest: "0000-0003", message: "the plan: gold or silver" }),
  ]);
  for (const [query, digest] of [
    ["localhost:3099", "0000-0001"],
    ["ECONNREFUSED localhost:3099", "0000-0001"],
    ["Cart::Missing", "0000-0002"],
    ["plan:gold", "0000-0002"],
    ["type:Cart", "0000-0002"],
  ] as const) {
    const { issues } = await projectStore.listIssues(parseIssueQuery(query));
    expect([query, issues.map((issue) => issue.digest)]).toEqual([query, [digest]]);
  }
});

it("the full-text tables have small pages, so that no write merges much, also after a wipe", async () => {
  await projectStore.listNewestIssues();
  await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
    const tables = new IndexTables(storage);
    for (const round of [1, 2]) {
      tables.transaction(() => {
        for (let n = 0; n < 200; n++) {
          const digest = `0000-${String(n).padStart(4, "0")}`;
          tables.issues.save(createIssue({ digest }));
          tables.search.add([[digest, `word${n} of round${round} and item${n * 7}`]]);
        }
      });
      for (const table of ["issue_search", "facet"]) {
        const query = `SELECT max(length(block)) AS bytes FROM ${table}_data`;
        expect(storage.sql.exec<{ bytes: number }>(query).one().bytes).toBeLessThan(1_200);
      }
      tables.wipe({ includeTriage: true });
    }
  });
});

it("an issue has one row in the search table, in any order of writes", async () => {
  await projectStore.listNewestIssues();
  await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
    const { issues, search: table } = new IndexTables(storage);
    const lists = new IssueLists(storage.sql, issues);
    for (const digest of ["0000-0000", "ZZZZ-ZZZZ"]) issues.save(createIssue({ digest }));
    table.add([
      ["ZZZZ-ZZZZ", "last"],
      ["0000-0000", "first"],
      ["ZZZZ-ZZZZ", "again"],
    ]);
    table.add([["0000-0000", "once more"]]);
    const rows = storage.sql.exec("SELECT text FROM issue_search");
    expect(rows.toArray()).toEqual([{ text: "first" }, { text: "last" }]);
    expect([lists.search("again", 5), lists.search("once more", 5)]).toEqual([[], []]);
    table.merge("ZZZZ-ZZZZ", "0000-0000");
    expect(lists.search("first last", 5)).toEqual(["0000-0000"]);
  });
});

it("the search texts of an index can be deleted while a query is unfinished", async () => {
  await log.append(reports);
  await projectStore.listNewestIssues();
  await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
    const database = openDatabase(storage, INDEX_SCHEMA);
    const unfinished = storage.sql.exec("SELECT id FROM initialized");
    unfinished.next();
    const isFound = () =>
      storage.sql.exec("SELECT 1 FROM issue_search WHERE issue_search MATCH 'total'").toArray()
        .length > 0;
    expect(isFound()).toBe(true);
    database.wipe(["reported"]);
    expect(isFound()).toBe(false);
    expect(unfinished.toArray()).toEqual([]);
    database.wipe(["reported"]);
    expect(isFound()).toBe(false);
  });
});

it("no search text is parsed as FTS5 operators, and none throws", async () => {
  await log.append(reports);
  await projectStore.listNewestIssues();
  await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
    const lists = new IssueLists(storage.sql, new IndexTables(storage).issues);
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.constantFrom('"', "AND", "NEAR(a b)", "text:a", "a* OR b", "-x", "^y", "{}", "'", "*"),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 20 }), (words) => {
        expect(Array.isArray(lists.search(words.join(" "), 5))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

it.each(["a.", "aaaa@", "A-", "\u00e9"])(
  "the words of ten thousand characters of %j are found in linear time",
  async (part) => {
    const text = part.repeat(limits.maxQueryChars / part.length);
    await projectStore.listNewestIssues();
    await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
      for (let time = 0; time < 20; time++) findWordTerms(storage.sql, text);
    });
  },
  5_000,
);
