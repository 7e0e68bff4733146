import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import type { ReactTexts } from "#src/core/error-codes/react-error.ts";
import { createFileReader, createReactTextReader } from "#src/http/read-file.ts";
import { visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log } from "#support/store/store.ts";

afterEach(() => emptyStore());

const PATH = "/d/7F3K-Q2M9";
const MESSAGE =
  "Minified React error #31; visit https://react.dev/errors/31?args[]=%3Cb%3Eobject%3C%2Fb%3E%20with%20keys%20%7Bprice%7D for the full message or use the non-minified dev environment for full errors and additional helpful warnings.";
const TEXTS: ReactTexts = { version: "19.3.1", texts: { 31: "Not a child (found: %s)." } };
const known = { services: { readReactTexts: async () => TEXTS } };
const TEXT = "Not a child (found: <b>object</b> with keys {price}).";

const report = (message: string) => createReport(1, { side: "browser", type: "Error", message });

describe("a code of React", () => {
  it("is decoded with its arguments on the page, in Markdown and in JSON", async () => {
    await log.append([report(MESSAGE)]);
    const page = await visit(PATH, known);
    expect(page.body).toContain("React error 31 <small>in the words of React 19.3.1</small>");
    expect(page.body).toContain(
      '<p dir="auto">Not a child (found: &lt;b&gt;object&lt;/b&gt; with keys {price}).</p>',
    );
    const markdown = await visit(`${PATH}.md`, known);
    expect(markdown.body).toContain(
      `### React error 31, text of React 19.3.1\n\n\`\`\`\n${TEXT}\n\`\`\``,
    );
    const json = await visit(`${PATH}.json`, known);
    const { message, reports } = JSON.parse(json.body);
    expect(reports[0].decodedErrors).toEqual([{ code: "31", text: TEXT, version: "19.3.1" }]);
    expect([message, reports[0].message]).toEqual([MESSAGE, MESSAGE]);
    const one = await visit(`${PATH}.json?report=${reports[0].id}`, known);
    expect(JSON.parse(one.body).decodedErrors).toEqual(reports[0].decodedErrors);
  });

  it.each([
    ["the table does not have it", report(MESSAGE.replaceAll("31", "999")), known],
    ["the build has no table", report(MESSAGE), { services: { readReactTexts: async () => null } }],
  ])("is shown as it was sent if %s", async (_, unknown, options) => {
    await log.append([unknown]);
    const page = await visit(PATH, options);
    expect(page.body).toContain("Minified React error #");
    expect(page.body).not.toContain("in the words of React");
    const markdown = await visit(`${PATH}.md`, options);
    expect(markdown.body).not.toContain("text of React");
    const json = await visit(`${PATH}.json`, options);
    expect(JSON.parse(json.body).reports[0]).not.toHaveProperty("decodedErrors");
  });

  it("is looked up only if a message has one", async () => {
    let reads = 0;
    const services = {
      readReactTexts: async () => {
        reads += 1;
        return TEXTS;
      },
    };
    await log.append([report("no cart")]);
    for (const path of [PATH, `${PATH}.md`, `${PATH}.json`]) await visit(path, { services });
    expect(reads).toBe(0);
  });
});

describe("the table of texts", () => {
  const answer = (...responses: readonly (Response | Error)[]) => {
    const rest = responses.values();
    const asked: string[] = [];
    const fetch = async (url: string | URL | Request) => {
      asked.push(new URL(String(url)).pathname);
      const next = rest.next().value;
      if (next instanceof Response) return next;
      throw next ?? new Error("asked too often");
    };
    return { asked, files: { fetch: fetch as Fetcher["fetch"] } };
  };

  it("is read from the files of the build once in an isolate, after failures again", async () => {
    const problems: unknown[] = [];
    const { asked, files } = answer(
      new Error("unavailable"),
      new Response(null, { status: 404 }),
      Response.json(TEXTS),
    );
    const readFile = createFileReader(files, (cause) => problems.push(cause));
    const read = createReactTextReader(readFile);
    const results = [await read(), await read(), await read(), await read()];
    expect(results).toEqual([null, null, TEXTS, TEXTS]);
    expect(asked).toEqual(new Array(3).fill("/error-texts/react.json"));
    expect(problems).toHaveLength(2);
  });

  it("is absent without files, and is a file of the build", async () => {
    const readNothing = createFileReader(undefined, () => undefined);
    expect(await createReactTextReader(readNothing)()).toBeNull();
    const { ASSETS } = env as unknown as { ASSETS: Fetcher };
    const built = await createReactTextReader(createFileReader(ASSETS, () => undefined))();
    expect(built?.texts["31"]).toContain("%s");
  });
});
