/** `npm run deploy:front` as a team runs it, beside its Errata and far from it. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { HOST, KEY, openAccount, PRINTED } from "./account.ts";
import { type Checkout, createCheckout } from "./checkout.ts";

const ROUTE = "shop.example/*";
const NAME = "errata-front-shop-example";
const SECRET = `errata_server_${"0123456789abcdef".repeat(2)}`;

let checkout: Checkout;
let account: Awaited<ReturnType<typeof openAccount>>;

beforeAll(async () => {
  checkout = await createCheckout();
});
afterAll(() => checkout?.close());
afterEach(() => account?.close());

/** An account whose site answers, with the front or without it. */
async function open() {
  account = await openAccount(checkout);
  account.edge.hosts.set("shop.example", ({ url }) => {
    const isFront = account.api.state.workers.has(NAME) && url.endsWith("/monitoring/errata.js");
    const type = isFront ? "text/javascript; charset=utf-8" : "text/html";
    return new Response("x", { headers: { "content-type": type } });
  });
}

const findFront = () => account.api.state.workers.get(NAME);
const listBindings = () =>
  Object.fromEntries(
    (findFront()?.versions.at(-1)?.bindings ?? []).map(({ name, ...binding }) => [name, binding]),
  );

describe("beside its Errata", () => {
  it("gets a service binding, keeps the key as a secret, and asks for it once", async () => {
    await open();
    const { output: printed } = await account.deploy(PRINTED);
    const key = KEY.exec(printed)?.[0] ?? expect.fail(printed);
    const dsn = `https://${key}@${HOST}/1`;

    const first = await account.deployFront([ROUTE], { env: { ERRATA_DSN: dsn } });
    expect(first.output).toContain(`The front is deployed to ${ROUTE}. It answers.`);
    expect(first.output).toContain(`npx wrangler delete --name ${NAME}`);
    expect(first.output).not.toContain(key);
    expect(first.code).toBe(0);
    expect(listBindings()).toEqual({
      ERRATA: { type: "service", service: "errata" },
      ERRATA_DSN: { type: "secret_text", text: dsn },
    });
    expect(findFront()?.routes).toEqual([expect.objectContaining({ pattern: ROUTE })]);
    expect(findFront()?.subdomain.enabled).toBe(false);

    const second = await account.deployFront([ROUTE, "--path", "/_errata"]);
    expect(second.code).toBe(0);
    expect(listBindings()).toEqual({
      ERRATA: { type: "service", service: "errata" },
      ERRATA_DSN: { type: "secret_text", text: dsn },
      ERRATA_PATH: { type: "plain_text", text: "/_errata" },
    });
  }, 180_000);

  it("is not deployed with a key that Errata does not know", async () => {
    await open();
    await account.deploy(PRINTED);
    const env = { ERRATA_DSN: `https://${SECRET}@${HOST}/1` };
    const { code, output } = await account.deployFront([ROUTE], { env });
    expect([code, findFront()]).toEqual([1, undefined]);
    expect(output).toContain("does not accept the key of this DSN");
    expect(output).not.toContain(SECRET);
  }, 180_000);
});

describe("far from its Errata", () => {
  const env = { ERRATA_DSN: `https://${SECRET}@errata.example/1` };

  it("reports by the URL", async () => {
    await open();
    const args = [ROUTE, "--errata", "https://errata.example/"];
    const { code, output } = await account.deployFront(args, { env });
    expect(output).toContain("Reports go to https://errata.example.");
    expect([code, Object.keys(listBindings())]).toEqual([0, ["ERRATA_DSN"]]);
  }, 60_000);

  it("asks for the DSN in a terminal, and does not show it", async () => {
    await open();
    const typed = { at: "DSN: ", line: env.ERRATA_DSN };
    const { code, output } = await account.deployFront([ROUTE], { typed });
    expect([code, listBindings().ERRATA_DSN]).toEqual([
      ...[0, { type: "secret_text", text: env.ERRATA_DSN }],
    ]);
    expect(output).not.toContain(SECRET);
  }, 60_000);

  it.each([
    ["without a DSN and without a terminal", {}, [ROUTE], "set the variable ERRATA_DSN"],
    [
      "with the key of pages",
      { ERRATA_DSN: "https://abc@errata.example/1" },
      [ROUTE],
      "looks like",
    ],
    [
      "with the DSN of another Errata",
      env,
      [ROUTE, "--errata", "https://other.example"],
      "--errata names https://other.example",
    ],
  ])(
    "is not deployed %s",
    async (_, given, args, message) => {
      await open();
      const { code, output } = await account.deployFront(args, { env: given });
      expect(output).toContain(message);
      expect([code, findFront()]).toEqual([1, undefined]);
    },
    60_000,
  );

  it("does not replace another Worker", async () => {
    await open();
    await account.deployFront([ROUTE], { env });
    const worker = findFront() ?? expect.fail("no Worker");
    worker.versions.splice(0, 1, { ...worker.versions[0], bindings: [] } as never);
    const { code, output } = await account.deployFront([ROUTE], { env });
    expect(output).toContain(`a Worker called ${NAME} that is no front of Errata`);
    expect([code, worker.versions.length]).toEqual([1, 1]);
  }, 60_000);

  it("says what to do if another Worker has the route", async () => {
    await open();
    account.api.failures.push({ method: "PUT", path: "/routes", status: 400, code: 10020 });
    const { code, output } = await account.deployFront([ROUTE], { env });
    expect(code).not.toBe(0);
    expect(output).toContain('"A site that is a Worker"');
  }, 60_000);
});
