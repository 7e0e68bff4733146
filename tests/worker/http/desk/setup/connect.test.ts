import { afterEach, describe, expect, it } from "vitest";
import type { ProjectStore } from "#src/store/client/project-store.ts";
import { toDsn } from "#src/ui/setup/integration.ts";
import { listIntegrations } from "#src/ui/setup/list-integrations.ts";
import { TEST_SERVER_KEY, testConfig, visit } from "#support/http/visit.ts";
import { replaceMethods } from "#support/replace-methods.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const COMPLETE_PAGE = "/connect?streaming=off";
const { ingestKey: key = "" } = testConfig;
const { ingestKey: _, serverKeyHash: _hash, ...keyless } = testConfig;
const readJson = async (path: string) =>
  JSON.parse((await visit(path, { headers: { accept: "application/json" } })).body);

describe("the connect page", () => {
  it("has code for every kind of sender, with the URL and the key of this project", async () => {
    const { response, body, logged } = await visit(COMPLETE_PAGE);
    expect([response.status, logged]).toEqual([200, []]);
    for (const name of ["Next.js", "React Router", "TanStack Start", "Hono", "Sentry on servers"]) {
      expect(body).toContain(`>${name}<`);
    }
    expect(body).toContain(`http://${key}@localhost:8787/1`);
    expect(body).toContain("http://localhost:8787/monitoring");
  });

  it("opens the tabs that were chosen in this browser, or the first of each group", async () => {
    const listChecked = async (cookie: string) => {
      const { body } = await visit(COMPLETE_PAGE, { headers: { cookie } });
      return [...body.matchAll(/<input[^>]* id="tab-([\w-]+)"[^>]* checked=""/g)].map(
        ([, id]) => id,
      );
    };
    expect(await listChecked("errata-tabs=hono.rollup")).toEqual(["hono", "rollup", "claude-code"]);
    expect(await listChecked("errata-tabs=none.hono")).toEqual(["hono", "vite", "claude-code"]);
    expect(await listChecked("")).toEqual(["next", "vite", "claude-code"]);
  });

  it("explains how to set a public key if there is none, and shows no incomplete DSN", async () => {
    const { body } = await visit(COMPLETE_PAGE, { services: { config: keyless } });
    expect(body).toContain("This needs a public key.");
    expect(body).not.toContain("the DSN for Sentry in browsers");
    expect(body).not.toContain(key);
    expect(body).not.toContain("sentry_key=");
    expect(body).toContain("ERRATA_SERVER_KEY");
  });

  it("creates a server key in place, once, and puts it into the code of servers", async () => {
    const before = (await visit(COMPLETE_PAGE)).body;
    expect(before).not.toContain(TEST_SERVER_KEY);
    expect(before).toContain("This project has a server key, which was shown once.");
    expect(before).toMatch(/<div id="hono".*?<form[^>]*action="\/connect#hono"/s);
    const { body: page } = await visit("/connect", {
      method: "POST",
      body: new URLSearchParams(),
      headers: { "sec-fetch-site": "same-origin", origin: "http://localhost:8787" },
    });
    const [, created = ""] = /http:\/\/(errata_server_\w+)@localhost:8787\/1/.exec(page) ?? [];
    const text = page.replace(/<[^>]+>/g, "").replaceAll("&quot;", '"');
    expect(text).toContain(`SENTRY_DSN="http://${created}@localhost:8787/1"`);
    expect(text).toContain(`ERRATA_DSN="http://${created}@localhost:8787/1"`);
    expect(text).toContain(`authorization=Bearer ${created}`);
    expect(text).toContain(`http://localhost:8787/monitoring?sentry_key=${created}`);
    expect(text).not.toContain("ERRATA_SERVER_KEY@");
    expect((await visit(COMPLETE_PAGE)).body).not.toContain(created);
  });

  it("starts the SDKs of Sentry in its code, and loads them", async () => {
    const { body } = await visit(COMPLETE_PAGE);
    const text = body.replace(/<[^>]+>/g, "").replaceAll("&quot;", '"');
    expect(text).toContain('import * as Sentry from "@sentry/browser";');
    expect(text).toContain('import * as Sentry from "@sentry/node";\n\nSentry.init();');
    expect(text).toContain("import sentry_sdk\n\nsentry_sdk.init()");
  });

  it("adds the key to the URL for pages if the project requires keys", async () => {
    const page = `/monitoring?sentry_key=${key}`;
    expect((await visit(COMPLETE_PAGE)).body).not.toContain(page);
    const setKeyless = (keyless: string) =>
      visit("/settings", {
        method: "POST",
        body: new URLSearchParams({ do: "set-keyless", keyless }),
        headers: { "sec-fetch-site": "same-origin", origin: "http://localhost:8787" },
      });
    await setKeyless("require");
    expect((await visit(COMPLETE_PAGE)).body).toContain(page);
    await setKeyless("accept");
    expect((await visit(COMPLETE_PAGE)).body).not.toContain(page);
  });

  it("has headers that browsers obey: over HTTP without report-to, which replaces report-uri", () => {
    const getHeaders = (origin: string) => {
      const list = listIntegrations({ origin, project: "2", key: "k" });
      return list.find(({ id }) => id === "csp")?.snippets[0]?.code ?? "";
    };
    expect(getHeaders("http://localhost:8787")).toMatch(
      /^[\w-]+: default-src 'self'; report-uri http:\/\/localhost:8787\/monitoring\?sentry_key=k$/,
    );
    const https = getHeaders("https://errata.example");
    expect(https).toContain('Reporting-Endpoints: default="https://errata.example/monitoring');
    expect(https).toContain("report-uri https://errata.example/monitoring?sentry_key=k; report-to");
  });

  it.each([COMPLETE_PAGE, "/csp?streaming=off"])(
    "has the same headers at %s, with the whole URL",
    async (path) => {
      const text = (await visit(path)).body.replace(/<[^>]+>/g, "").replaceAll("&#x27;", "'");
      expect(text).toContain("default-src 'self'; report-uri http://localhost:8787/monitoring");
      expect(text).not.toContain("report-to");
    },
  );

  it("shows that there are no reports yet, and later the first one", async () => {
    expect((await visit(COMPLETE_PAGE)).body).toContain("No reports yet.");
    await log.append([createReport(1, { message: "<b>no price</b>" })]);
    const { body } = await visit(COMPLETE_PAGE);
    expect(body).toContain("Your first report has arrived.");
    expect(body).toContain('href="/d/7F3K-Q2M9"');
    expect(body).toContain("&lt;b&gt;no price&lt;/b&gt;");
  });

  it("asks once for reports, and leaves later ones to the live socket", async () => {
    let readCount = 0;
    const countingStore: Partial<ProjectStore> = {
      listNewestIssues() {
        readCount++;
        return projectStore.listNewestIssues();
      },
    };
    const { body } = await visit("/connect", {
      services: { projectStore: replaceMethods(projectStore, countingStore) },
    });
    expect(readCount).toBe(1);
    for (const state of ["open", "connecting", "closed"])
      expect(body).toContain(`data-socket-state="${state}"`);
    expect(body).toContain("data-live");
  });

  it("sends the same facts as JSON without waiting", async () => {
    expect(await readJson("/connect")).toEqual({
      address: "http://localhost:8787/monitoring",
      dsn: `http://${key}@localhost:8787/1`,
      hasServerKey: true,
      received: null,
      sample: 0,
    });
    await log.append([createReport(1)]);
    expect(await readJson("/connect")).toMatchObject({
      received: {
        issueCount: 1,
        itemCount: 1,
        errors: { server: 1, browser: 0 },
        latestIssue: { digest: "7F3K-Q2M9" },
      },
    });
  });

  it("offers the part that is missing while only servers report, and does not call it an error", async () => {
    await log.append([createReport(1)]);
    const before = (await visit("/connect")).body;
    expect(before).toContain("No browser errors yet");
    expect(before).toContain("If your application has pages, add the client part");
    await log.append([{ ...createReport(2), side: "browser", trust: "public" }]);
    const { body } = await visit("/connect");
    expect(body).toContain("1 server error");
    expect(body).toContain("1 browser error");
    expect(body).not.toContain("If your application has");
  });

  it("works while the index is unavailable, without the received reports", async () => {
    const unavailable: Partial<ProjectStore> = {
      listIssues: () => Promise.reject(new Error("unavailable")),
      listNewestIssues: () => Promise.reject(new Error("unavailable")),
    };
    const { response, body } = await visit(COMPLETE_PAGE, {
      services: { projectStore: replaceMethods(projectStore, unavailable) },
    });
    expect(response.status).toBe(200);
    expect(body).toContain("Sample data is temporarily unavailable.");
    expect(body).toContain("data-notice");
    expect(body).toContain(">Next.js<");
    const services = { projectStore: replaceMethods(projectStore, unavailable) };
    const request = { headers: { accept: "application/json" }, services };
    expect((await visit("/connect", request)).response.status).toBe(503);
  });
});

describe("the snippets", () => {
  const address = { origin: "https://errata.example", key, project: "1" };

  it("contain only the given URL and the given key", () => {
    const texts = listIntegrations(address).flatMap(({ snippets }) =>
      snippets.map(({ code }) => code),
    );
    const origins = texts.join("\n").match(/https?:\/\/[^\s"'/}]+/g);
    expect(new Set(origins)).toEqual(
      new Set([
        "https://errata.example",
        `https://${key}@errata.example`,
        "https://ERRATA_SERVER_KEY@errata.example",
      ]),
    );
  });

  it("contain a server key for servers, and the public key for pages", () => {
    const kinds = listIntegrations({ ...address, isKeyRequired: true }).map(
      ({ id, snippets, keyKind }) => {
        const code = snippets.map((snippet) => snippet.code).join("\n");
        return [id, keyKind, code.includes("ERRATA_SERVER_KEY"), code.includes(key)];
      },
    );
    expect(kinds).toEqual([
      ["next", "server", true, true],
      ["sentry", "public", false, true],
      ["sentry-server", "server", true, false],
      ["react-router", "server", true, true],
      ["tanstack", "server", true, true],
      ["sveltekit", "server", true, true],
      ["astro", "server", true, true],
      ["nuxt", "server", true, true],
      ["hono", "server", true, false],
      ["express", "server", true, false],
      ["fastify", "server", true, false],
      ["workers", "server", true, false],
      ["browser", undefined, false, true],
      ["front", undefined, false, false],
      ["csp", undefined, false, true],
      ["tail", undefined, false, false],
      ["otlp", "server", true, false],
      ["curl", undefined, false, true],
    ]);
  });

  it("come with the DSN or the URL of their sender", () => {
    const server = "https://ERRATA_SERVER_KEY@errata.example/1";
    const endpoints = listIntegrations(address).map(({ id, endpoint }) => [id, endpoint?.value]);
    expect(Object.fromEntries(endpoints)).toEqual({
      next: server,
      sentry: `https://${key}@errata.example/1`,
      "sentry-server": server,
      "react-router": server,
      tanstack: server,
      sveltekit: server,
      astro: server,
      nuxt: server,
      hono: server,
      express: server,
      fastify: server,
      workers: server,
      front: undefined,
      browser: "https://errata.example/monitoring",
      csp: "https://errata.example/monitoring",
      tail: undefined,
      otlp: "https://errata.example",
      curl: "https://errata.example/monitoring",
    });
  });

  it.each([
    [address, `https://${key}@errata.example/1`],
    [{ origin: "http://localhost:8787", project: "7" }, "http://ERRATA_KEY@localhost:8787/7"],
  ])("contain the DSN of a project: %j", (project, dsn) => {
    expect(toDsn(project)).toBe(dsn);
  });

  it("have unique ids, so that a URL can point to each", () => {
    const ids = listIntegrations(address).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
