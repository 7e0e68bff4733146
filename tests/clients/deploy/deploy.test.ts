/** `npm run deploy` as a team runs it: first, again, under other addresses, and in a CI. */
import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { HOST, LINK, openAccount, PRINTED } from "./account.ts";
import { type Checkout, createCheckout } from "./checkout.ts";
import { ACCOUNT } from "./cloudflare-api.ts";
import { FIRST_DEPLOYMENT, SECOND_DEPLOYMENT } from "./wrangler-requests.ts";

const TUNNEL = '{ pattern = "app.example.com/monitoring", zone_name = "example.com" }';
const DSN = /https:\/\/(errata_server_[0-9a-f]{32})@(\S+)\/1/;

let checkout: Checkout;
let account: Awaited<ReturnType<typeof openAccount>>;

beforeAll(async () => {
  checkout = await createCheckout();
});
afterAll(() => checkout?.close());
afterEach(async () => {
  await account?.close();
  checkout.configure();
});

async function open(options: Parameters<typeof openAccount>[1] = {}) {
  account = await openAccount(checkout, options);
}

/** Reads a path of the deployed Errata. */
async function visit(path: string, init: RequestInit = {}, host = HOST) {
  const request = new Request(`https://${host}${path}`, init);
  const response = await account.answerWith("errata")(request);
  return response ?? expect.fail(`${host} has no Worker`);
}

/** Opens the sign-in link with this code. */
function signIn(code: string) {
  return visit("/sign-in", {
    method: "POST",
    headers: { "sec-fetch-site": "same-origin", origin: `https://${HOST}` },
    body: new URLSearchParams({ code, name: "Ada" }),
  });
}

/** The requests of wrangler: a line each, without ids. */
function listRequests() {
  return account.api.requests
    .splice(0)
    .map(({ method, path, status, code }) =>
      [
        method,
        path
          .replace(/^\/accounts\/[0-9a-f]{32}/, "")
          .replace(/[0-9a-f-]{36}|(?<=namespaces\/)[0-9a-f]{32}/, ":id"),
        ...[status, ...(code === undefined ? [] : [code])],
      ].join(" "),
    )
    .sort();
}

describe("a first and a second deployment", () => {
  it("give an address that works, keep the key, and send the requests that are known", async () => {
    await open();
    const first = await account.deploy(PRINTED);
    expect(first.output).toContain("Errata's own errors are shown in their source.");
    expect(first.output).toMatch(/The stored data of \d objects are of this release\./);
    expect(first.code).toBe(0);
    expect(listRequests()).toEqual(FIRST_DEPLOYMENT);
    const [, host, code = ""] = LINK.exec(first.output) ?? expect.fail(first.output);
    const [, key, dsnHost] = DSN.exec(first.output) ?? expect.fail(first.output);
    expect([host, dsnHost]).toEqual([HOST, HOST]);

    const signedIn = await signIn(code);
    expect(signedIn.status).toBe(303);
    const cookie = signedIn.headers.get("set-cookie") ?? "";

    const event = { event_id: "0123456789abcdef".repeat(2), message: "from a server" };
    const sent = await visit(`/api/1/store/?sentry_key=${key}`, {
      method: "POST",
      body: JSON.stringify(event),
    });
    expect(sent.status).toBe(200);

    const uploads = await visit("/source-maps.json", { headers: { cookie } });
    const { uploads: listed } = (await uploads.json()) as { uploads: { release: string }[] };
    expect(listed).toMatchObject([{ state: "ready", scriptsWithoutMap: 0 }]);
    expect(await readRelease()).toBe(listed[0]?.release);

    const second = await account.deploy(PRINTED);
    expect([second.code, LINK.test(second.output), DSN.test(second.output)]).toEqual([
      ...[0, true, false],
    ]);
    expect(listRequests()).toEqual(SECOND_DEPLOYMENT);
  }, 180_000);

  it("are refused if a later release wrote the stored data, before anything is uploaded", async () => {
    await open();
    expect((await account.deploy(PRINTED)).code).toBe(0);
    const recorded = { v: 1, release: "errata@9.0.0", oldest: { ProjectIndex: 99 } };
    account.api.state.values.set("data-versions", JSON.stringify(recorded));
    const { versions } = account.api.state.workers.get("errata") ?? expect.fail("no Worker");
    const before = versions.length;
    const { code, output } = await account.deploy(PRINTED);
    expect(code).toBe(1);
    expect(output).toContain("Nothing was deployed: the stored data were written by errata@9.0.0");
    expect(output).toContain("ProjectIndex: needs version 99, this release has");
    expect(versions).toHaveLength(before);
  }, 180_000);

  it("keep the maps for each further version of the same bundle, and the key in a rollback", async () => {
    await open();
    const { output } = await account.deploy(PRINTED);
    const key = DSN.exec(output)?.[1];
    const release = await readRelease();
    const secret = await account.wrangler(["secret", "list"]);
    expect(secret.output).toContain("ERRATA_SERVER_KEY");
    // Each of them is a version of its own.
    expect((await account.deploy(["--var", "ERRATA_SCRUB:email", ...PRINTED])).code).toBe(0);
    expect(await readRelease()).toBe(release);
    const { versions } = account.api.state.workers.get("errata") ?? expect.fail("no Worker");
    const back = await account.wrangler(["rollback", versions[0]?.id ?? "", "-y", "-m", "back"]);
    expect(back.code).toBe(0);
    expect(await readRelease()).toBe(release);
    const event = JSON.stringify({ message: "after a rollback" });
    const sent = await visit(`/api/1/store/?sentry_key=${key}`, { method: "POST", body: event });
    expect(sent.status).toBe(200);
  }, 180_000);

  it("update the stored data, and a rollback reads them or harms nothing", async () => {
    await open();
    const first = await account.deploy(PRINTED);
    const key = DSN.exec(first.output)?.[1];
    const signedIn = await signIn(LINK.exec(first.output)?.[2] ?? "");
    const cookie = signedIn.headers.get("set-cookie") ?? "";
    let sent = 0;
    const send = async () => {
      const event = { event_id: String(++sent).padStart(32, "0"), message: "on every version" };
      const path = `/api/1/store/?sentry_key=${key}`;
      return (await visit(path, { method: "POST", body: JSON.stringify(event) })).status;
    };
    const read = () => visit("/issues.json", { headers: { cookie } });
    const countReports = async () => {
      const { issues } = (await (await read()).json()) as { issues: { count: number }[] };
      return issues.map(({ count }) => count);
    };
    const rollBack = async (nth: number) => {
      const { versions } = account.api.state.workers.get("errata") ?? expect.fail("no Worker");
      const words = ["rollback", versions.at(nth)?.id ?? "", "-y", "-m", "back"];
      expect((await account.wrangler(words)).code).toBe(0);
    };
    expect(await send()).toBe(200);

    // A release with a column more.
    const schema = "src/store/index/tables/index-schema.ts";
    const ids = [...readFileSync(schema, "utf8").matchAll(/^ +\{? ?id: (\d+),?/gm)];
    const next = Math.max(...ids.map(([, id]) => Number(id))) + 1;
    const [added, further] = [
      `    { id: ${next} },`,
      `    { id: ${next + 1}, oldest: ${next + 1} },`,
    ];
    const undo = [
      checkout.edit(schema, "  ],\n  floor: 1,", `${added}\n  ],\n  floor: 1,`),
      checkout.edit(schema, '"expiry_sweep", {', '"expiry_sweep", { note: "TEXT",'),
    ];
    const second = await account.deploy(PRINTED);
    expect([second.code, await send()]).toEqual([0, 200]);
    expect(second.output).toMatch(/The stored data of \d objects are of this release\./);
    expect(await countReports()).toEqual([2]);
    await rollBack(0);
    expect(await send()).toBe(200);
    expect(await countReports()).toEqual([3]);

    // A release whose data earlier code cannot work with.
    undo.push(checkout.edit(schema, added, `${added}\n${further}`));
    const third = await account.deploy(PRINTED);
    for (const step of undo.reverse()) step();
    expect([third.code, await countReports()]).toEqual([0, [3]]);
    await rollBack(0);
    expect([await send(), (await read()).status]).toEqual([200, 503]);
    await rollBack(2);
    expect(await countReports()).toEqual([4]);
  }, 300_000);

  it("get a name of their own with --name, with separate storage", async () => {
    await open();
    account.edge.hosts.set("errata-2.team.workers.dev", account.answerWith("errata-2"));
    for (const args of [[], ["--name", "errata-2"]]) {
      const { code, output } = await account.deploy([...args, ...PRINTED]);
      expect([code, DSN.test(output)]).toEqual([0, true]);
      expect(output).toContain(`https://${args[1] ?? "errata"}.team.workers.dev/sign-in#`);
    }
    const titles = account.api.state.namespaces.map(({ title }) => title);
    expect(titles).toEqual(["errata-kv", "errata-2-kv"]);
  }, 180_000);
});

async function readRelease() {
  const page = await (await visit("/sign-in")).text();
  return /\sdata-release="([^"]+)"/.exec(page)?.[1];
}

describe("the address", () => {
  it.each([
    ["a custom domain on the command line", "", ["--domain", "errata.example.com"]],
    [
      "a custom domain beside a path of a site",
      `workers_dev = false\nroutes = [${TUNNEL}, { pattern = "errata.example.com", custom_domain = true }]`,
      [],
    ],
  ])(
    "is %s, and no other host gets anything",
    async (_, top, args) => {
      await open();
      const host = "errata.example.com";
      account.edge.hosts.set(host, account.answerWith("errata"));
      account.edge.hosts.set("app.example.com", () => new Response("<p>The team's app"));
      checkout.configure({ top, isBuilt: true });
      const { code, output } = await account.deploy([...args, ...PRINTED]);
      expect([code, LINK.exec(output)?.[1], DSN.exec(output)?.[2]]).toEqual([0, host, host]);
      expect(output).toContain("Errata's own errors are shown in their source.");
      expect(new Set(account.edge.requests.map((one) => one.host))).toEqual(new Set([host]));
    },
    180_000,
  );

  it("is workers.dev if only a path of a site is routed to the Worker", async () => {
    await open();
    account.edge.hosts.set("app.example.com", () => new Response("<p>The team's app"));
    checkout.configure({ top: `workers_dev = true\nroutes = [${TUNNEL}]`, isBuilt: true });
    const { code, output } = await account.deploy(PRINTED);
    expect([code, LINK.exec(output)?.[1]]).toEqual([0, HOST]);
    expect(new Set(account.edge.requests.map((one) => one.host))).toEqual(new Set([HOST]));
  }, 180_000);

  it("is missing with a path of a site alone, and the output says so", async () => {
    await open();
    checkout.configure({ top: `workers_dev = false\nroutes = [${TUNNEL}]`, isBuilt: true });
    const { code, output } = await account.deploy(PRINTED);
    expect([code, LINK.test(output), output.includes("it has no address")]).toEqual([
      ...[1, false, true],
    ]);
    expect(output).toMatch(/Server key .*\n {4}errata_server_[0-9a-f]{32}\n/);
    expect(account.edge.requests).toEqual([]);
  }, 180_000);

  it("gets nothing while Cloudflare Access protects it, and the output names Access", async () => {
    await open();
    const login = "https://team.cloudflareaccess.com/cdn-cgi/access/login";
    account.edge.hosts.set(HOST, () => Response.redirect(login, 302));
    account.edge.hosts.set("team.cloudflareaccess.com", () => new Response("<!DOCTYPE html>"));
    const { code, output } = await account.deploy(PRINTED);
    expect([code, LINK.test(output)]).toEqual([0, true]);
    expect(output).toContain("Cloudflare Access protects https://errata.team.workers.dev");
    expect(account.edge.requests.map(({ method, host }) => [method, host])).toEqual([
      ["GET", HOST],
    ]);
  }, 180_000);

  it("gets no token while another program answers there", async () => {
    await open();
    account.edge.hosts.set(HOST, () => new Response("<p>The team's app"));
    const { output } = await account.deploy(PRINTED, { stopAt: "is not this deployment" });
    expect(output).toContain("The source maps were not uploaded");
    expect(account.edge.requests.filter(({ sent }) => /sntrys_|errata_server/.test(sent))).toEqual(
      [],
    );
  }, 180_000);

  it("may resolve later than the version is there: the output says what it waits for", async () => {
    await open();
    let asked = 0;
    const answer = account.answerWith("errata");
    account.edge.hosts.set(HOST, (request) => (++asked < 3 ? null : answer(request)));
    const { code, output } = await account.deploy(PRINTED);
    expect(output).toContain("Waiting for the new version (Ctrl-C ends it)");
    expect(output).toContain(`could not be reached: getaddrinfo ENOTFOUND ${HOST}`);
    expect(output).not.toContain("fetch failed");
    expect(code).toBe(0);
    expect(output.indexOf("/sign-in#")).toBeLessThan(output.indexOf("ENOTFOUND"));
  }, 180_000);

  it("stays printed after Ctrl-C in the wait, and the next deployment uploads the maps", async () => {
    await open();
    account.edge.hosts.set(HOST, () => null);
    const stopped = await account.deploy(PRINTED, { stopAt: "ENOTFOUND" });
    expect([stopped.code, LINK.test(stopped.output), DSN.test(stopped.output)]).toEqual([
      ...[130, true, true],
    ]);
    expect(stopped.output).toContain("To upload them, run `npm run deploy` again.");
    account.edge.hosts.set(HOST, account.answerWith("errata"));
    const { code, output } = await account.deploy(PRINTED);
    expect(code).toBe(0);
    expect(output).toContain("Errata's own errors are shown in their source.");
  }, 180_000);
});

describe("in a CI", () => {
  it("nothing secret is printed, no key is created, and the last link stays valid", async () => {
    await open();
    const byHand = await account.deploy(PRINTED);
    const [, , code = ""] = LINK.exec(byHand.output) ?? expect.fail(byHand.output);
    const { code: exitCode, output } = await account.deploy([], { env: { CI: "true" } });
    expect(exitCode).toBe(0);
    expect(output).not.toMatch(/sign-in#|errata_server_|sntrys_/);
    expect(output).toContain("No sign-in link was created");
    const signedIn = await signIn(code);
    expect(signedIn.status).toBe(303);
  }, 180_000);

  it("a first deployment creates no key, because it could not be read", async () => {
    await open();
    const { code, output } = await account.deploy();
    expect([code, /sign-in#|errata_server_/.test(output)]).toEqual([0, false]);
    expect(output).toContain("There is no ERRATA_SERVER_KEY yet");
    const later = await account.deploy(PRINTED);
    expect([later.code, DSN.test(later.output)]).toEqual([0, true]);
  }, 180_000);

  it.each([
    ["without a token", { CLOUDFLARE_API_TOKEN: "" }, "CLOUDFLARE_API_TOKEN"],
    ["with a wrong token", { CLOUDFLARE_API_TOKEN: "wrong" }, "Authentication error"],
  ])(
    "%s it fails with a clear message",
    async (_, env, message) => {
      await open();
      checkout.configure({ isBuilt: true });
      const { code, output } = await account.deploy(PRINTED, { env });
      expect(code).toBe(1);
      expect(output).toContain(message);
      expect(output).toContain("Nothing was deployed");
      expect(output).not.toMatch(/sign-in#|errata_server_/);
    },
    180_000,
  );
});

describe("in a terminal", () => {
  it("with several accounts, the person chooses one before anything is created", async () => {
    await open({
      accounts: [
        { id: ACCOUNT, name: "Team" },
        { id: "f".repeat(32), name: "Another team" },
      ],
    });
    const { code, output } = await account.deploy([], {
      env: { CLOUDFLARE_ACCOUNT_ID: "" },
      typed: { at: "Select an account", line: "" },
    });
    expect(output.match(/Select an account/g)).not.toBeNull();
    expect([code, LINK.test(output), DSN.test(output)]).toEqual([0, true, true]);
    // The key is part of the first version.
    expect(account.api.state.workers.get("errata")?.versions).toHaveLength(1);
  }, 180_000);
});

it("a dry run deploys nothing and prints no link", async () => {
  await open();
  const { code, output } = await account.deploy(["--dry-run", ...PRINTED]);
  expect(code).toBe(0);
  expect(output).not.toMatch(/sign-in#|errata_server_/);
  expect(account.api.requests).toEqual([]);
}, 180_000);
