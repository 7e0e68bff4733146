import { createHmac } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { createPageTokens } from "#src/auth/page-tokens.ts";
import { createMembers } from "#support/accounts/members.ts";
import { toSha256 } from "#support/accounts/memory-registry.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { TEST_SERVER_KEY as SERVER_KEY } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";

const MINUTE_MS = 60_000;

describe("a token of an adapter, signed with a server key of the registry", () => {
  afterEach(() => emptyStore());

  /** Signs as a program does that knows only the format. */
  function signAsAdapter(key: string, project: string, origin: string): string {
    const claims = Buffer.alloc(14);
    const hash = Buffer.from(toSha256(key), "hex");
    claims.set([0x10, hash[0] ?? 0]);
    claims.writeUInt32BE(Math.floor((readNowMs() - Date.UTC(2020, 0, 1)) / MINUTE_MS), 2);
    claims.set(Buffer.from("0011223344556677", "hex"), 6);
    const hmac = createHmac("sha256", hash).update(claims).update(`${project}|${origin}|0`);
    return Buffer.concat([claims, hmac.digest().subarray(0, 12)]).toString("base64url");
  }

  const shop = "https://shop.example";

  /** An Errata whose second project has a key of each kind. */
  async function openSecondProject() {
    const { registry, change, deployer } = await createMembers();
    const { createdId: project = "" } = await change(deployer, {
      do: "create-project",
      name: "Shop",
    });
    const fields = { do: "add-key", project, name: "shop", origins: [] } as const;
    const { secrets: [serverKey = ""] = [], createdId: key = "" } = await change(deployer, {
      ...fields,
      kind: "server",
    });
    const pageTokens = createPageTokens({
      configuredKeyHash: toSha256(SERVER_KEY),
      registry,
      nowMs: readNowMs,
    });
    const verify = (token: string) => pageTokens.verify(token, { project, origin: shop });
    return { change, deployer, project, serverKey, key, verify };
  }

  it("raises the reports of its project, and of no other", async () => {
    const { project, serverKey, verify } = await openSecondProject();
    const token = signAsAdapter(serverKey, project, shop);
    expect(await verify(token)).toEqual({
      ok: true,
      value: { pageId: "0011223344556677", isOwn: false, raisesTrust: true },
    });
    for (const other of [
      signAsAdapter(serverKey, "1", shop),
      signAsAdapter(serverKey, project, "https://other.example"),
      signAsAdapter(SERVER_KEY, project, shop),
    ]) {
      expect(await verify(other)).toEqual({ ok: false, reason: "wrong-signature" });
    }
  });

  it("is valid while the key is, and not after it was revoked", async () => {
    const { change, deployer, project, serverKey, key, verify } = await openSecondProject();
    const token = signAsAdapter(serverKey, project, shop);
    await change(deployer, { do: "rotate-key", project, key, overlapMs: 86_400_000 });
    expect(await verify(token)).toMatchObject({ ok: true });
    await change(deployer, { do: "revoke-key", project, key });
    expect(await verify(token)).toEqual({ ok: false, reason: "wrong-signature" });
  });
});
