// Deliveries to services on loopback that check schemas, sizes, signatures, escapes and limits.

import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { DestinationSettings } from "#src/core/alerts/destinations/destinations.ts";
import { type DeliveryContext, deliver } from "#src/store/alerts/send/deliver.ts";
import { createVapidKeys } from "#src/store/alerts/send/push-request.ts";
import {
  createFakeMail,
  type FakeServices,
  startFakeServices,
  TELEGRAM,
  verifyVapid,
  withCode,
} from "#support/alerts/fake-services.ts";
import {
  createAlertMessage,
  createMessageWithText,
  createSummary,
} from "#support/alerts/messages.ts";
import { readNowMs, START_MS } from "#support/clock/clock.ts";

// The package that verifies webhooks compares with the clock.
const NOW_MS = readNowMs();
const vapid = await createVapidKeys();
let services: FakeServices;
let context: DeliveryContext;
const mail = createFakeMail(["ada@example.com", "grace@example.com"]);

beforeEach(async () => {
  services = await startFakeServices(NOW_MS / 1_000);
  context = {
    // Telegram's address is fixed; everything else is sent where the settings say.
    fetch: (url, init) =>
      fetch(String(url).replace("https://api.telegram.org", services.origin), init),
    nowMs: NOW_MS,
    allowedTargets: [services.target],
    ownHost: "errata.example",
    vapid,
    email: mail.email,
    emailFrom: "errata@example.com",
  };
});
afterEach(() => services.stop());

const KINDS = [
  "slack",
  "discord",
  "teams",
  "webhook",
  "ntfy",
  "telegram",
  "push",
  "email",
] as const;

function createSettings(kind: (typeof KINDS)[number]): DestinationSettings {
  const { origin, webhookSecret, subscription } = services;
  switch (kind) {
    case "slack":
      return { kind, url: `${origin}/services/T0/B0/secret-path` };
    case "discord":
      return { kind, url: `${origin}/api/webhooks/1/secret-path` };
    case "teams":
      return { kind, url: `${origin}/workflows/x?sig=secret-path` };
    case "webhook":
      return { kind, url: `${origin}/hook`, secret: webhookSecret };
    case "ntfy":
      return { kind, url: `${origin}/ntfy/shop`, token: "tk_shop" };
    case "telegram":
      return TELEGRAM;
    case "push":
      return { kind, ...subscription };
    case "email":
      return { kind, to: ["ada@example.com", "grace@example.com"] };
  }
}

describe.each(KINDS)("a delivery by %s", (kind) => {
  it.each([
    ["an issue", () => createAlertMessage()],
    ["a summary", () => createSummary(41)],
    ["a test", () => createAlertMessage({ kind: "test", issues: [], reasons: [] })],
    [
      "10,000 hostile characters",
      () => createMessageWithText("<@U1> `@everyone` https://a.b ".repeat(400)),
    ],
  ])("is accepted by the service: %s", async (_, createMessage) => {
    const result = await deliver(createSettings(kind), createMessage(), context);
    expect(result).toMatchObject({ kind: "delivered" });
  });
});

describe("a webhook", () => {
  it("is signed over id, time and body, with the id of the message at every attempt", async () => {
    const settings = createSettings("webhook");
    await deliver(settings, createAlertMessage(), context);
    await deliver(settings, createAlertMessage(), { ...context, nowMs: NOW_MS + 5_000 });
    const [first, second] = services.received.map(({ headers }) => headers);
    expect(first?.["webhook-id"]).toBe("m-1-issue");
    expect(second?.["webhook-id"]).toBe("m-1-issue");
    expect(Number(second?.["webhook-timestamp"])).toBe(Number(first?.["webhook-timestamp"]) + 5);
    expect(second?.["webhook-signature"]).not.toBe(first?.["webhook-signature"]);
  });

  it("is verified by the old and the new secret during a rotation, and by no other", async () => {
    const secret = `whsec_${btoa("n".repeat(32))}`;
    const previousSecret = services.webhookSecret;
    const settings = {
      kind: "webhook" as const,
      url: `${services.origin}/hook`,
      ...{ secret, previousSecret, previousUntilMs: NOW_MS + 1_000 },
    };
    await deliver(settings, createAlertMessage(), context);
    await deliver({ ...settings, previousUntilMs: NOW_MS }, createAlertMessage(), context);
    const [verify, verifyAfterwards] = services.received.map(
      ({ body, headers }) =>
        (one: string) =>
          new Webhook(one).verify(String(body), headers as Record<string, string>),
    );
    expect(verify?.(secret)).toMatchObject({ type: "issue.new" });
    expect(verify?.(previousSecret)).toMatchObject({ type: "issue.new" });
    expect(() => verify?.(`whsec_${btoa("o".repeat(32))}`)).toThrow();
    expect(verifyAfterwards?.(secret)).toMatchObject({ type: "issue.new" });
    expect(() => verifyAfterwards?.(previousSecret)).toThrow();
  });
});

describe("a push message", () => {
  it("is decrypted by its browser and signed by the key of the subscription", async () => {
    await deliver(createSettings("push"), createAlertMessage(), context);
    expect(services.notifications).toMatchObject([{ path: "/d/7F3K-Q2M9", tag: "7F3K-Q2M9" }]);
    const authorization = String(services.received[0]?.headers.authorization);
    expect(authorization).toContain(`k=${vapid.publicKey}`);
    expect(await verifyVapid(authorization)).toBe(true);
  });

  it.each([
    ["errata@example.com", "errata.example", "mailto:errata@example.com"],
    ["errata@localhost", "errata.example", "https://errata.example"],
    ["errata@localhost", "127.0.0.1:8787", "mailto:errata@example.com"],
    ["errata@box.local", "localhost:8787", "mailto:errata@example.com"],
    ["a b@evil", undefined, "mailto:errata@example.com"],
  ])(
    "names a contact that push services accept: %s at %s",
    async (emailFrom, ownHost, expected) => {
      const { ownHost: _, ...others } = context;
      const host = ownHost === undefined ? {} : { ownHost };
      const settings = createSettings("push");
      await deliver(settings, createAlertMessage(), { ...others, ...host, emailFrom });
      const authorization = String(services.received[0]?.headers.authorization);
      const [, claims = ""] = /^vapid t=[\w-]+\.([\w-]+)\./.exec(authorization) ?? [];
      expect(JSON.parse(Buffer.from(claims, "base64url").toString())).toMatchObject({
        sub: expected,
      });
    },
  );

  it("fails for keys that are not a point of the curve", async () => {
    const settings = {
      ...createSettings("push"),
      p256dh: `B${"x".repeat(86)}`,
    } as DestinationSettings;
    expect(await deliver(settings, createAlertMessage(), context)).toMatchObject({
      kind: "failed",
    });
    expect(services.received).toEqual([]);
  });
});

describe("the answer of a service", () => {
  const answer = (status: number, body = "", headers: Record<string, string> = {}) => {
    services.override = (response) => void response.writeHead(status, headers).end(body);
  };

  it.each([
    ["slack", 200, "ok", "delivered"],
    ["slack", 200, "ok\n", "delivered"],
    ["slack", 200, "", "delivered"],
    ["slack", 200, '{"success":true}', "delivered"],
    ["slack", 200, "invalid_payload", "retry"],
    ["slack", 200, '{"success":false,"error":"invalid-channel"}', "retry"],
    ["slack", 200, "<!doctype html><title>Sign in</title>", "retry"],
    ["slack", 400, "invalid_payload", "failed"],
    ["slack", 400, "user_not_found", "gone"],
    ["slack", 403, "action_prohibited", "gone"],
    ["slack", 403, "error code: 1020", "retry"],
    ["slack", 404, "no_service", "gone"],
    ["slack", 404, "channel_not_found\n", "gone"],
    ["slack", 404, "404 page not found", "retry"],
    ["slack", 404, "<p>There is no_service here</p>", "retry"],
    ["slack", 403, "no_team", "gone"],
    ["slack", 410, "channel_is_archived", "gone"],
    ["slack", 410, "Gone", "retry"],
    ["slack", 500, "rollup_error", "retry"],
    ["discord", 204, "", "delivered"],
    ["discord", 200, "<html>Sign in</html>", "retry"],
    ["discord", 400, '{"code":50035}', "failed"],
    ["discord", 404, '{"message":"Unknown Webhook","code":10015}', "gone"],
    ["discord", 401, '{"code": 50027}', "gone"],
    ["discord", 404, '{"code":100150}', "retry"],
    ["discord", 403, "error code: 1015", "retry"],
    ["discord", 502, "", "retry"],
    ["teams", 200, "Webhook message delivery failed … HTTP error 429", "retry"],
    ["teams", 200, "Webhook message delivery failed with error: unknown", "retry"],
    ["teams", 200, "1", "delivered"],
    ["teams", 202, "", "delivered"],
    ["teams", 401, "", "retry"],
    ["teams", 413, "", "failed"],
    ["webhook", 204, "", "delivered"],
    ["webhook", 200, '{"success":false}', "delivered"],
    ["webhook", 400, "", "retry"],
    ["webhook", 404, "", "retry"],
    ["webhook", 410, "", "gone"],
    ["webhook", 301, "", "retry"],
    ["ntfy", 200, "<html>Sign in</html>", "retry"],
    ["ntfy", 401, "", "retry"],
    ["ntfy", 401, '{"code":40101,"http":401}', "gone"],
    ["ntfy", 413, "", "failed"],
    ["ntfy", 507, "", "retry"],
    ["telegram", 200, '{"ok":false}', "retry"],
    ["telegram", 400, '{"description":"Bad Request: chat not found"}', "gone"],
    ["telegram", 400, '{"description":"Bad Request: message is too long"}', "failed"],
    ["telegram", 403, '{"description":"bot was kicked"}', "gone"],
    ["push", 201, "", "delivered"],
    ["push", 403, "", "retry"],
    ["push", 404, "", "gone"],
    ["push", 410, "", "gone"],
    ["push", 413, "", "failed"],
    ["push", 503, "", "retry"],
    ["slack", 408, "", "retry"],
  ] as const)("decides about the message: %s %i %s is %s", async (kind, status, body, expected) => {
    answer(status, body, { location: "http://127.0.0.1/" });
    const result = await deliver(createSettings(kind), createAlertMessage(), context);
    expect(result).toMatchObject({ kind: expected, status });
  });

  it.each([
    ["slack", 404, "404 page not found", { refused: "destination" }],
    ["webhook", 400, "no", { refused: "message" }],
    ["webhook", 307, "", { maxAttempts: 3 }],
  ] as const)("says what was refused: %s %i %s", async (kind, status, body, expected) => {
    answer(status, body, { location: "http://127.0.0.1/" });
    const result = await deliver(createSettings(kind), createAlertMessage(), context);
    expect(result).toMatchObject({ kind: "retry", ...expected });
  });

  it.each([
    ["slack", { "retry-after": "30" }, "", 30_000],
    ["webhook", { "retry-after": new Date(NOW_MS + 60_000).toUTCString() }, "", 60_000],
    ["discord", { "retry-after": "1" }, '{"retry_after": 0.25}', 250],
    ["telegram", {}, '{"parameters":{"retry_after":7}}', 7_000],
    ["webhook", { "retry-after": "999999999" }, "", 3_600_000],
    ["ntfy", { "retry-after": "999999999999" }, "", 3_600_000],
    ["slack", { "retry-after": "86400" }, "", 900_000],
    ["discord", {}, '{"retry_after": 86400.5}', 900_000],
    ["teams", { "retry-after": new Date(NOW_MS + 86_400_000).toUTCString() }, "", 900_000],
    ["telegram", {}, '{"parameters":{"retry_after":86400}}', 900_000],
    ["webhook", { "retry-after": "soon" }, "", undefined],
  ] as const)(
    "says when the next attempt is due: %s %j %s",
    async (kind, headers, body, afterMs) => {
      answer(429, body, headers);
      const result = await deliver(createSettings(kind), createAlertMessage(), context);
      expect(result.kind).toBe("retry");
      const actual = result.kind === "retry" ? result.afterMs : undefined;
      if (afterMs === undefined) expect(actual).toBeUndefined();
      else expect(Math.abs((actual ?? 0) - afterMs)).toBeLessThanOrEqual(1_000);
    },
  );

  it("is respected as the rate limit of Slack", async () => {
    services.slackPerSecond = 1;
    await deliver(createSettings("slack"), createAlertMessage(), context);
    const result = await deliver(createSettings("slack"), createAlertMessage(), context);
    expect(result).toMatchObject({ kind: "retry", status: 429, afterMs: 30_000 });
  });

  it("is not followed when it redirects", async () => {
    answer(302, "", { location: `${services.origin}/hook` });
    await deliver(createSettings("webhook"), createAlertMessage(), context);
    expect(services.received).toHaveLength(1);
  });

  it("is read up to 2 KB and shown up to 200 characters, without secrets and controls", async () => {
    const endless = "\u202e\0x".repeat(400);
    services.override = (response, { path }) => {
      response.writeHead(400);
      response.write(`${path} ${endless}`);
      const timer = setInterval(() => response.write(endless), 1);
      response.on("close", () => clearInterval(timer));
    };
    const result = await deliver(createSettings("slack"), createAlertMessage(), context);
    expect(result.kind).toBe("failed");
    const { answer: shown = "" } = result;
    expect(shown.length).toBeLessThanOrEqual(200);
    expect(shown).toMatch(/^… x+…$/);
  });

  it("is waited for no longer than the signal allows, whether headers or body hang", async () => {
    for (const begin of [false, true]) {
      const stop = new AbortController();
      services.override = (response) => {
        if (begin) response.writeHead(200).write("ok");
        // The header has to arrive first.
        setTimeout(() => stop.abort(), begin ? 50 : 0);
      };
      const result = await deliver(createSettings("webhook"), createAlertMessage(), {
        ...context,
        signal: stop.signal,
      });
      expect(result.kind).toBe(begin ? "delivered" : "retry");
    }
  });

  it.each([
    ["a body that never comes", "webhook", 200, "", "delivered"],
    ["a body that begins", "slack", 200, "o", "delivered"],
    ["the body of an error", "webhook", 500, "broken", "retry"],
  ] as const)(
    "is complete a second after its status: %s",
    async (_, kind, status, text, expected) => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], now: START_MS });
      const body = new ReadableStream({
        start: (stream) => {
          if (text !== "") stream.enqueue(new TextEncoder().encode(text));
        },
      });
      const respond = async () => new Response(body, { status });
      const sending = deliver(createSettings(kind), createAlertMessage(), {
        ...context,
        fetch: respond as typeof fetch,
      });
      await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
      await vi.advanceTimersByTimeAsync(1_000);
      expect(await sending).toMatchObject({ kind: expected, status, answer: text });
      vi.useRealTimers();
    },
  );

  it("is a retry when the connection breaks off or nothing listens", async () => {
    services.override = (response) => void response.destroy();
    const result = await deliver(createSettings("webhook"), createAlertMessage(), context);
    expect(result).toEqual({ kind: "retry", answer: "The connection failed.", isOwn: true });
    await services.stop();
    expect(await deliver(createSettings("slack"), createAlertMessage(), context)).toEqual(result);
  });
});

describe("an address that is not allowed", () => {
  it("gets no request, even if it was allowed when the destination was saved", async () => {
    const settings = createSettings("slack");
    const result = await deliver(settings, createAlertMessage(), {
      ...context,
      allowedTargets: [],
    });
    expect(result).toMatchObject({ kind: "failed" });
    expect(services.received).toEqual([]);
  });
});

describe("an email", () => {
  it("has sender, recipients, and a subject without line breaks", async () => {
    await deliver(
      createSettings("email"),
      createMessageWithText("a\r\nBcc: eve@evil.example"),
      context,
    );
    const last = mail.mails.at(-1);
    expect(last).toMatchObject({
      from: "errata@example.com",
      to: ["ada@example.com", "grace@example.com"],
    });
    expect(last?.subject).not.toMatch(/[\r\n]/);
  });

  it("that the platform refuses is logged without the address, which only its person sees", async () => {
    const text = "destination ada@example.com is not verified";
    const email = { send: () => Promise.reject(withCode("E_RECIPIENT_NOT_ALLOWED", text)) };
    const result = await deliver(createSettings("email"), createAlertMessage(), {
      ...context,
      email,
    });
    expect(result.answer).toContain("destination … is not verified");
  });

  it.each([
    ["E_RECIPIENT_NOT_ALLOWED", { kind: "gone" }],
    ["E_RECIPIENT_SUPPRESSED", { kind: "gone" }],
    ["E_SENDER_NOT_VERIFIED", { kind: "failed" }],
    ["E_HEADER_NOT_ALLOWED", { kind: "failed" }],
    ["E_RATE_LIMIT_EXCEEDED", { kind: "retry" }],
    ["E_DAILY_LIMIT_EXCEEDED", { kind: "retry", afterMs: 3_600_000 }],
    ["E_INTERNAL_SERVER_ERROR", { kind: "retry" }],
    ["", { kind: "retry" }],
  ])("that the platform refuses with %s is %j", async (code, expected) => {
    const email = { send: () => Promise.reject(withCode(code, "No.")) };
    const result = await deliver(createSettings("email"), createAlertMessage(), {
      ...context,
      email,
    });
    expect(result).toMatchObject(expected);
  });

  describe("to several addresses", () => {
    const to = ["ada@example.com", "bad@example.com", "grace@example.com"];
    /** Sends with a service that refuses mail with these addresses with these codes. */
    async function sendWith(codes: Readonly<Record<string, string>>) {
      const accepted: string[][] = [];
      const email = {
        send: async ({ to: recipients }: { to: string[] }) => {
          const code = recipients.flatMap((one) => codes[one] ?? [])[0];
          if (code !== undefined) throw withCode(code, "No.");
          accepted.push(recipients);
          return { messageId: "<1@example.com>" };
        },
      };
      const settings = { kind: "email", to } as const;
      const result = await deliver(settings, createAlertMessage(), { ...context, email });
      return { result, accepted };
    }

    it("is one email", async () => {
      expect((await sendWith({})).accepted).toEqual([to]);
    });

    it("reaches all others if the service refuses one, and says which", async () => {
      const { result, accepted } = await sendWith({ "bad@example.com": "E_RECIPIENT_NOT_ALLOWED" });
      expect(accepted).toEqual([["ada@example.com"], ["grace@example.com"]]);
      expect(result).toMatchObject({
        kind: "delivered",
        answer: expect.stringContaining("address 2 of 3"),
      });
      expect(result.answer).not.toContain("@");
    });

    it("is gone if the service refuses all of them", async () => {
      const codes = Object.fromEntries(to.map((one) => [one, "E_RECIPIENT_SUPPRESSED"]));
      expect((await sendWith(codes)).result).toMatchObject({ kind: "gone" });
    });

    it("is repeated a few times at most if one of them fails for now", async () => {
      const { result } = await sendWith({
        "ada@example.com": "E_RECIPIENT_NOT_ALLOWED",
        "bad@example.com": "E_DELIVERY_FAILED",
      });
      expect(result).toMatchObject({ kind: "retry", maxAttempts: 3 });
    });
  });

  it("fails with the reason if the deployment has no binding", async () => {
    const { email: _, ...without } = context;
    const result = await deliver(createSettings("email"), createAlertMessage(), without);
    expect(result).toMatchObject({ kind: "failed", answer: expect.stringContaining("EMAIL") });
  });
});
