/**
 * A first deployment that fails, is stopped, or meets what is already in the account. Each can be
 * repeated until it works, and the key is printed exactly once.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { KEY, LINK, openAccount, PRINTED } from "./account.ts";
import { type Checkout, createCheckout } from "./checkout.ts";

/** The steps of a first deployment that change or need something. */
const STEPS = [
  ["GET", "services/errata"],
  ["POST", "assets-upload-session"],
  ["POST", "assets/upload"],
  ["GET", "scripts/errata/settings"],
  ["POST", "kv/namespaces"],
  ["PUT", "scripts/errata"],
  ["POST", "scripts/errata/subdomain"],
  ["PUT", "scripts/errata/schedules"],
] as const;

let checkout: Checkout;
let account: Awaited<ReturnType<typeof openAccount>>;

beforeAll(async () => {
  checkout = await createCheckout();
});
afterAll(() => checkout?.close());
afterEach(() => account?.close());

async function open(options: Parameters<typeof openAccount>[1] = {}) {
  checkout.configure({ isBuilt: true });
  account = await openAccount(checkout, options);
}

const countDeployments = () => account.api.state.workers.get("errata")?.deployments.length ?? 0;

/** How often the key was printed, and whether it is the key of the Worker. */
function countKeys(...outputs: string[]) {
  const printed = outputs.flatMap((output) => KEY.exec(output) ?? []);
  const worker = account.api.state.workers.get("errata");
  const stored = worker?.versions.at(-1)?.bindings.find(({ name }) => name === "ERRATA_SERVER_KEY");
  return printed.filter((key) => key === stored?.text).length;
}

describe("a first deployment", () => {
  it("that fails at each step in turn works in the end", async () => {
    await open();
    const outputs: string[] = [];
    for (const [method, path] of STEPS) {
      account.api.failures.splice(0, 1, { method, path, status: 403, code: 10000 });
      const before = countDeployments();
      const { code, output } = await account.deploy(PRINTED);
      const step = `${method} ${path}`;
      // wrangler repeats some requests itself.
      expect.soft(code === 0 || code === 1, step).toBe(true);
      expect.soft(output, step).not.toContain("fetch failed");
      expect.soft(LINK.test(output), step).toBe(countDeployments() > before);
      outputs.push(output);
    }
    const last = await account.deploy(PRINTED);
    expect([last.code, LINK.test(last.output)]).toEqual([0, true]);
    expect(countKeys(...outputs, last.output)).toBe(1);
    expect(last.output).toContain("Errata's own errors are shown in their source.");
  }, 400_000);

  it("that is stopped at each step in turn works in the end", async () => {
    let step: (typeof STEPS)[number] | undefined;
    await open({
      onRequest: (method, path) => {
        if (step === undefined || method !== step[0] || !path.endsWith(step[1])) return;
        step = undefined;
        account.interrupt();
      },
    });
    const outputs: string[] = [];
    for (const next of STEPS) {
      step = next;
      const { code, output } = await account.deploy(PRINTED);
      expect.soft(code, next.join(" ")).not.toBe(0);
      outputs.push(output);
    }
    const last = await account.deploy(PRINTED);
    expect([last.code, LINK.test(last.output)]).toEqual([0, true]);
    expect(countKeys(...outputs, last.output)).toBe(1);
  }, 400_000);

  it("of two at once: each works when it is repeated", async () => {
    await open();
    const both = await Promise.all([account.deploy(PRINTED), account.deploy(PRINTED)]);
    expect(both.map(({ code }) => code)).toContain(0);
    const again = await account.deploy(PRINTED);
    expect([again.code, LINK.test(again.output)]).toEqual([0, true]);
    expect(countKeys(...both.map(({ output }) => output), again.output)).toBe(1);
  }, 180_000);

  it("without a free cron trigger prints link and DSN, and names the limit", async () => {
    await open({ maxCrons: 0 });
    const { code, output } = await account.deploy(PRINTED);
    expect([code, LINK.test(output), countKeys(output)]).toEqual([1, true, 1]);
    expect(output).toContain("a free account has five");
  }, 180_000);

  it("without permission for KV says which permission is missing", async () => {
    await open();
    for (const method of ["GET", "POST"])
      account.api.failures.push({
        method,
        path: "kv/namespaces",
        status: 403,
        code: 10000,
        times: 9,
      });
    const { code, output } = await account.deploy(PRINTED);
    expect([code, LINK.test(output), KEY.test(output)]).toEqual([1, false, false]);
    expect(output).toContain("Workers KV Storage");
  }, 180_000);

  it("after `wrangler delete` says what to do with the old data", async () => {
    await open();
    await account.deploy(PRINTED);
    const [namespace] = account.api.state.namespaces;
    const id = namespace?.id ?? expect.fail("no namespace");
    account.api.state.keys.set(id, ["registry"]);
    expect((await account.wrangler(["delete", "--force"])).code).toBe(0);
    expect(account.api.state.workers.size).toBe(0);
    const { code, output } = await account.deploy(PRINTED);
    expect([code, LINK.test(output), KEY.test(output)]).toEqual([1, false, false]);
    expect(output).toContain("errata-kv has data of an Errata that was deleted");
    const words = /npx wrangler (kv namespace delete .*)/.exec(output)?.[1]?.split(" ") ?? [];
    expect((await account.wrangler([...words, "-y"])).code).toBe(0);
    const again = await account.deploy(PRINTED);
    expect([again.code, countKeys(again.output)]).toEqual([0, 1]);
  }, 180_000);

  it("does not replace another team's Worker", async () => {
    await open();
    await account.deploy(PRINTED);
    const worker = account.api.state.workers.get("errata") ?? expect.fail("no Worker");
    const [version] = worker.versions;
    if (version === undefined) expect.fail("no version");
    const bindings = version.bindings.filter(({ name }) => name !== "REGISTRY");
    worker.versions.splice(0, 1, { ...version, bindings });
    account.api.requests.length = 0;
    const { code, output } = await account.deploy(PRINTED);
    expect(code).toBe(1);
    expect(output).toContain("a Worker called errata that is not Errata");
    expect(account.api.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  }, 180_000);
});

describe("the server key", () => {
  it("is created although wrangler warns about the configuration", async () => {
    await open();
    checkout.configure({ isBuilt: true, top: "unknown_field = 1", bottom: "[env.staging]" });
    const { code, output } = await account.deploy(PRINTED);
    expect(output).toContain("WARNING");
    expect([code, countKeys(output)]).toEqual([0, 1]);
  }, 180_000);

  it("is not created if wrangler.toml has one", async () => {
    await open();
    const key = `errata_server_${"0123456789abcdef".repeat(2)}`;
    checkout.configure({ isBuilt: true, bottom: `[vars]\nERRATA_SERVER_KEY = "${key}"` });
    const { code, output } = await account.deploy(PRINTED);
    expect([code, KEY.test(output), output.includes("not created")]).toEqual([0, false, false]);
    expect(account.api.requests.some(({ path }) => path.includes("secrets-bulk"))).toBe(false);
  }, 180_000);
});

describe("in a terminal", () => {
  it("a deployment that is refused at wrangler's question prints no link", async () => {
    await open();
    await account.deploy(PRINTED);
    const worker = account.api.state.workers.get("errata") ?? expect.fail("no Worker");
    worker.lastDeployedFrom = "api";
    const { output } = await account.deploy([], {
      typed: { at: "continue?", line: "n" },
    });
    expect(output).toContain("last updated via the script API");
    expect(output).not.toMatch(/sign-in#|errata_server_/);
  }, 180_000);
});
