/** Rate limits by network: an IPv6 sender is counted by the /64 and by the /48. */
import { describe, expect, it } from "vitest";
import type { RateLimiters } from "#src/http/context.ts";
import { openLimiters, visit } from "#support/http/visit.ts";

const ORIGIN = "https://errata.example";
const FORM = {
  "content-type": "application/x-www-form-urlencoded",
  origin: ORIGIN,
  "sec-fetch-site": "same-origin",
};

const ROUTES = [
  {
    name: "reports",
    path: "/monitoring",
    init: { method: "POST", body: '{"errata":1,"how":"uncaught","type":"Error","message":"a"}' },
  },
  { name: "receipts", path: "/e/7F3K-Q2M9", init: {} },
  {
    name: "comments on receipts",
    path: "/e/7F3K-Q2M9",
    init: { method: "POST", headers: FORM, body: "comment=a" },
  },
  { name: "sign-ins", path: "/sign-in", init: { method: "POST", headers: FORM, body: "code=a" } },
  {
    name: "passkey sign-ins",
    path: "/sign-in/options",
    init: { method: "POST", headers: FORM },
  },
] as const;

/** Limits of `perNetwork` requests by /64 or IPv4 address, and `perSite` by /48. */
function createLimiters(perNetwork: number, perSite: number): RateLimiters {
  const counts = new Map<string, number>();
  const charge = (key: string, max: number) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= max;
  };
  const byNetwork = async (network: string) => charge(network, perNetwork);
  return {
    ...openLimiters,
    address: byNetwork,
    receipt: byNetwork,
    signIn: byNetwork,
    site: async (limit, site) => charge(`${limit} ${site}`, perSite),
  };
}

describe.each(ROUTES)("the limit of $name", ({ path, init }) => {
  async function isLimited(limiters: RateLimiters, address: string): Promise<boolean> {
    const headers = { ...("headers" in init && init.headers), "cf-connecting-ip": address };
    const request = { ...init, headers, origin: ORIGIN, services: { limiters } };
    return (await visit(path, request)).response.status === 429;
  }

  it("counts the networks of one /48 together", async () => {
    const limiters = createLimiters(2, 3);
    const from = (network: number) => isLimited(limiters, `2001:db8:5:${network}::1`);
    expect([await from(1), await from(2), await from(3), await from(4)]).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(await isLimited(limiters, "2001:db8:6::1")).toBe(false);
  });

  it("does not let one /64 use up the limit of its /48", async () => {
    const limiters = createLimiters(1, 2);
    const requests = ["1", "1", "1", "1", "2"].map((n) => `2001:db8:5:${n}::1`);
    const limited: boolean[] = [];
    for (const address of requests) limited.push(await isLimited(limiters, address));
    expect(limited).toEqual([false, true, true, true, false]);
  });

  it("counts an IPv4 address separately", async () => {
    const limiters = createLimiters(1, 0);
    expect(await isLimited(limiters, "192.0.2.7")).toBe(false);
    expect(await isLimited(limiters, "192.0.2.8")).toBe(false);
    expect(await isLimited(limiters, "192.0.2.7")).toBe(true);
  });
});
