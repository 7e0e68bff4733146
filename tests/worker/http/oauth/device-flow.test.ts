// The device flow (RFC 8628), in the real registry object.

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Actor } from "#src/core/accounts/actors.ts";
import { limits } from "#src/core/limits.ts";
import { CLI_CLIENT_ID } from "#src/core/oauth/endpoints.ts";
import { ORIGIN, type Proof } from "#support/accounts/members.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { CONSENT, createOAuth, type TestOAuth } from "#support/http/oauth.ts";
import { emptyStore } from "#support/store/empty-store.ts";

const GRANT_TYPE = "urn:ietf:params:oauth:grant-type:device_code";
const FIELDS = { ...CONSENT, project: "1" };

let oauth: TestOAuth;
let ada: { readonly actor: Actor; readonly proof: Proof };

beforeAll(async () => {
  oauth = await createOAuth();
  ada = await oauth.members.invite("member");
});

afterEach(() => vi.restoreAllMocks());

afterAll(() => emptyStore());

/** Moves the clock of the object to so many ms after the start of the test. */
function passTime(ms: number): void {
  vi.restoreAllMocks();
  const nowMs = readNowMs();
  vi.spyOn(Date, "now").mockReturnValue(nowMs + ms);
}

async function start(fields: Record<string, string> = {}, headers: Proof = {}) {
  const sent = { client_id: CLI_CLIENT_ID, scope: "read triage upload admin", ...fields };
  const { response, body } = await oauth.post("/oauth/device", sent, headers);
  return { status: response.status, ...JSON.parse(body) };
}

function poll(deviceCode: string, fields: Record<string, string> = {}) {
  return oauth.token({
    grant_type: GRANT_TYPE,
    client_id: CLI_CLIENT_ID,
    device_code: deviceCode,
    ...fields,
  });
}

function decide(userCode: string, fields: Record<string, string> = {}, { proof } = ada) {
  return oauth.submit("/device", proof, { ...FIELDS, user_code: userCode, ...fields });
}

describe("a device", () => {
  it("gets tokens when the person has typed its code and allowed it", async () => {
    const device = await start({}, { "cf-connecting-ip": "192.0.2.7" });
    expect(device).toMatchObject({
      verification_uri: `${ORIGIN}/device`,
      verification_uri_complete: `${ORIGIN}/device?user_code=${device.user_code}`,
      expires_in: 600,
      interval: 5,
    });
    expect(device.user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect((await poll(device.device_code)).body.error).toBe("authorization_pending");
    const typed = device.user_code.toLowerCase().replace("-", " ");
    const page = await oauth.send(`/device?user_code=${encodeURIComponent(typed)}`, {
      headers: { ...ada.proof, accept: "text/html" },
    });
    for (const text of [device.user_code, "192.0.2.7", "Errata command line", "First project"])
      expect(page.body).toContain(text);
    const decided = await decide(device.user_code);
    expect(decided.body).toContain("Connected");
    passTime(5_000);
    const { status, body } = await poll(device.device_code);
    expect(status).toBe(200);
    expect(body.scope).toBe("read triage upload");
    expect(await oauth.whoami(body.access_token)).toMatchObject({ role: "member" });
    const refreshed = await oauth.refresh(body.refresh_token, { client_id: CLI_CLIENT_ID });
    expect(refreshed.status).toBe(200);
  });

  it("hears that the person denied it", async () => {
    const device = await start();
    await decide(device.user_code, { decision: "deny" });
    expect((await poll(device.device_code)).body.error).toBe("access_denied");
  });

  it("must wait longer if it asks too often", async () => {
    const device = await start();
    expect((await poll(device.device_code)).body.error).toBe("authorization_pending");
    passTime(2_000);
    expect((await poll(device.device_code)).body.error).toBe("slow_down");
    passTime(8_000);
    expect((await poll(device.device_code)).body.error).toBe("slow_down");
    passTime(23_000);
    expect((await poll(device.device_code)).body.error).toBe("authorization_pending");
  });

  it("gets nothing after ten minutes, and neither page nor decision finds its code", async () => {
    const device = await start();
    passTime(600_000);
    expect((await poll(device.device_code)).body.error).toBe("expired_token");
    const { response } = await decide(device.user_code);
    expect(response.status).toBe(404);
  });

  it("of two requests at the same time, one gets tokens", async () => {
    const device = await start();
    await decide(device.user_code);
    const both = await Promise.all([poll(device.device_code), poll(device.device_code)]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    passTime(20_000);
    expect((await poll(device.device_code)).body.error).toBe("invalid_grant");
  });

  it("of another program gets nothing", async () => {
    const device = await start();
    await decide(device.user_code);
    const stolen = await poll(device.device_code, {
      client_id: "https://evil.example/client.json",
    });
    expect(stolen.body.error).toBe("invalid_grant");
    const other = await start({ client_id: "https://evil.example/client.json" });
    expect(other).toMatchObject({ status: 400, error: "unauthorized_client" });
  });
});

describe("a user code", () => {
  it("is decided once, by a person who is signed in and on Errata's own page", async () => {
    const device = await start();
    const anonymous = await decide(device.user_code, {}, { ...ada, proof: {} });
    expect(anonymous.response.status).toBe(401);
    const fields = { ...FIELDS, user_code: device.user_code };
    const forged = await oauth.submit("/device", ada.proof, fields, {
      "sec-fetch-site": "cross-site",
      origin: "https://evil.example",
    });
    expect(forged.response.status).toBe(403);
    expect((await decide(device.user_code)).response.status).toBe(200);
    const eve = await oauth.members.invite("viewer");
    const again = await decide(device.user_code, { role: "viewer" }, eve);
    expect(again.response.status).toBe(404);
  });

  it("cannot be guessed: after ten unknown codes, none works for a while", async () => {
    const eve = await oauth.members.invite("member");
    const device = await start();
    for (let n = 0; n < limits.maxUserCodeMisses; n++)
      expect((await decide(`BBBB-BBB${"BCDFGHJKLM"[n]}`, {}, eve)).response.status).toBe(404);
    expect((await decide(device.user_code, {}, eve)).response.status).toBe(429);
    // Other people can still decide.
    expect((await decide(device.user_code)).response.status).toBe(200);
  });

  it("gives no more than its person may do, and no more than was asked for", async () => {
    const device = await start({ scope: "read" });
    expect((await decide(device.user_code, { role: "member" })).response.status).toBe(400);
    const { body } = await decide(device.user_code, { role: "viewer" });
    expect(body).toContain("Connected");
  });
});

it("limits the devices that wait for one network", async () => {
  const headers = { "cf-connecting-ip": "192.0.2.99" };
  for (let n = 0; n < limits.maxWaitingDevicesPerNetwork; n++)
    expect((await start({}, headers)).status).toBe(200);
  expect(await start({}, headers)).toMatchObject({ status: 429, error: "temporarily_unavailable" });
  expect((await start({}, { "cf-connecting-ip": "192.0.2.98" })).status).toBe(200);
});

it("limits the devices of one IPv6 network, whose sender has any number of addresses", async () => {
  const from = (n: number) => ({ "cf-connecting-ip": `2001:db8:7:7::${n.toString(16)}` });
  for (let n = 1; n <= limits.maxWaitingDevicesPerNetwork; n++)
    expect((await start({}, from(n))).status).toBe(200);
  expect((await start({}, from(99))).status).toBe(429);
  expect((await start({}, { "cf-connecting-ip": "2001:db8:7:8::1" })).status).toBe(200);
});
