/**
 * The services that receive alerts, on loopback. They refuse what the real ones refuse: other
 * schemas and sizes, wrong signatures and tokens, text that is not escaped, and too many messages a
 * second.
 */

import { createDecipheriv, createECDH, type DecipherGCM, hkdfSync, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import type { EmailSender } from "#src/store/alerts/send/send-mail.ts";
import {
  checkDiscord,
  checkEmail,
  checkNtfy,
  checkSlack,
  checkTeams,
  checkTelegram,
} from "./service-rules.ts";

type Json = Readonly<Record<string, unknown>>;
type Headers = IncomingMessage["headers"];

/** A request that a service accepted or refused. */
interface ReceivedRequest {
  readonly path: string;
  readonly headers: Headers;
  readonly body: Buffer;
  readonly status: number;
  readonly answer: string;
}

/** Answers instead of the service. */
type Override = (response: ServerResponse, request: ReceivedRequest) => void;

export interface FakeServices {
  /** `127.0.0.1:18900`. */
  readonly target: string;
  readonly origin: string;
  /** All requests, oldest first. */
  readonly received: ReceivedRequest[];
  /** The secret of `/hook`. */
  readonly webhookSecret: string;
  /** A subscription at `/push/…`, and the messages that its browser decrypted. */
  readonly subscription: {
    readonly endpoint: string;
    readonly p256dh: string;
    readonly auth: string;
  };
  readonly notifications: Json[];
  /** Answers the next requests; undefined judges them again. */
  override: Override | undefined;
  /** Messages that Slack accepts per second. */
  slackPerSecond: number;
  stop(): Promise<void>;
}

const TELEGRAM_TOKEN = "123456:ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** Settings of a bot that the services know. */
export const TELEGRAM = { kind: "telegram", token: TELEGRAM_TOKEN, chatId: "-100123" } as const;

/** Starts all services on one free port. `nowSeconds` is the time of the services. */
export async function startFakeServices(nowSeconds: number): Promise<FakeServices> {
  const browser = createBrowser();
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const services: FakeServices = {
    target: `127.0.0.1:${port}`,
    origin: `http://127.0.0.1:${port}`,
    received: [],
    webhookSecret: `whsec_${randomBytes(32).toString("base64")}`,
    subscription: { ...browser.keys, endpoint: `http://127.0.0.1:${port}/push/abc` },
    notifications: [],
    override: undefined,
    slackPerSecond: Number.POSITIVE_INFINITY,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  let slackCount = 0;

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { url: path = "", headers } = request;
    const received = { path, headers, body: Buffer.concat(chunks) };
    const judged = judge(path, headers, received.body);
    const [status, answer, extra = {}] = judged;
    const entry = { ...received, status, answer };
    services.received.push(entry);
    if (services.override) return services.override(response, entry);
    response.writeHead(status, extra).end(answer);
  }

  function judge(path: string, headers: Headers, body: Buffer): Answer {
    if (path.startsWith("/push/")) return judgePush(headers, body);
    if (path === "/hook") return judgeWebhook(headers, body);
    const json = JSON.parse(body.toString()) as Json;
    if (path.startsWith("/services/")) {
      const problems = checkSlack(json);
      if (problems.length > 0) return [400, `invalid_payload ${problems.join("; ")}`];
      return ++slackCount > services.slackPerSecond
        ? [429, "rate_limited", { "retry-after": "30" }]
        : [200, "ok"];
    }
    if (path.startsWith("/api/webhooks/")) {
      if (!path.includes("wait=true")) return [204, ""];
      const problems = checkDiscord(json);
      return problems.length > 0
        ? [400, JSON.stringify({ code: 50_035, message: problems.join("; ") })]
        : [200, '{"id":"1"}'];
    }
    if (path.startsWith("/workflows/")) {
      const problems = checkTeams(json);
      return problems.length > 0 ? [400, problems.join("; ")] : [202, ""];
    }
    if (path === `/bot${TELEGRAM_TOKEN}/sendMessage`) {
      const problems = checkTelegram(json);
      return problems.length > 0
        ? [400, JSON.stringify({ ok: false, description: problems.join("; ") })]
        : [200, '{"ok":true}'];
    }
    if (path === "/ntfy/") {
      if (headers.authorization !== "Bearer tk_shop") return [401, '{"code":40101}'];
      const problems = checkNtfy(json);
      return problems.length > 0 ? [400, problems.join("; ")] : [200, '{"id":"1"}'];
    }
    return [404, "no_service"];
  }

  function judgeWebhook(headers: Headers, body: Buffer): Answer {
    try {
      new Webhook(services.webhookSecret).verify(
        body.toString(),
        headers as Record<string, string>,
      );
      return [204, ""];
    } catch (error) {
      return [401, String(error)];
    }
  }

  function judgePush(headers: Headers, body: Buffer): Answer {
    const problems = [
      ...(/^\d+$/.test(String(headers.ttl)) ? [] : ["TTL is required"]),
      ...(headers["content-encoding"] === "aes128gcm" ? [] : ["not aes128gcm"]),
      ...(/^[\w-]{1,32}$/.test(String(headers.topic)) ? [] : ["invalid topic"]),
      ...(/^(?:very-low|low|normal|high)$/.test(String(headers.urgency)) ? [] : ["urgency"]),
      ...(body.length <= 4_096 ? [] : ["413"]),
    ];
    if (problems.length > 0) return [400, problems.join("; ")];
    const claims = readClaims(String(headers.authorization));
    if (claims?.aud !== services.origin) return [403, "wrong audience"];
    const expires = Number(claims.exp) - nowSeconds;
    if (!(expires > 0 && expires <= 86_400)) return [403, "expires too late"];
    if (!/^(?:mailto|https):/.test(String(claims.sub))) return [403, "no subject"];
    services.notifications.push(JSON.parse(browser.decrypt(body)) as Json);
    return [201, ""];
  }

  return services;
}

type Answer = readonly [status: number, answer: string, headers?: Record<string, string>];

/** The claims of a VAPID token; the signature is verified by `verifyVapid`. */
function readClaims(authorization: string): Json | undefined {
  const [, claims] = /^vapid t=[\w-]+\.([\w-]+)\.[\w-]+, k=[\w-]+$/.exec(authorization) ?? [];
  return claims === undefined
    ? undefined
    : (JSON.parse(Buffer.from(claims, "base64url").toString()) as Json);
}

/** True if the token is signed by the key that the header names (RFC 8292 § 3). */
export async function verifyVapid(authorization: string): Promise<boolean> {
  const [, signed = "", signature = "", point = ""] =
    /^vapid t=([\w-]+\.[\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const raw = Buffer.from(point, "base64url");
  const curve = { name: "ECDSA", namedCurve: "P-256" };
  const key = await crypto.subtle.importKey("raw", raw, curve, false, ["verify"]);
  return crypto.subtle.verify(
    { name: "ECDSA", hash: "SHA-256" },
    key,
    Buffer.from(signature, "base64url"),
    Buffer.from(signed),
  );
}

/** The part of a browser that receives push messages, written from RFC 8188 and RFC 8291. */
function createBrowser() {
  const ecdh = createECDH("prime256v1");
  const point = ecdh.generateKeys();
  const auth = randomBytes(16);
  return {
    keys: { p256dh: point.toString("base64url"), auth: auth.toString("base64url") },
    decrypt(body: Buffer): string {
      const salt = body.subarray(0, 16);
      const idLength = body.readUInt8(20);
      const sender = body.subarray(21, 21 + idLength);
      const record = body.subarray(21 + idLength);
      const info = Buffer.concat([Buffer.from("WebPush: info\0"), point, sender]);
      const secret = hkdf(ecdh.computeSecret(sender), auth, info, 32);
      const key = hkdf(secret, salt, "Content-Encoding: aes128gcm\0", 16);
      const nonce = hkdf(secret, salt, "Content-Encoding: nonce\0", 12);
      const decipher = createDecipheriv("aes-128-gcm", key, nonce) as DecipherGCM;
      decipher.setAuthTag(record.subarray(-16));
      const text = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
      if (text.at(-1) !== 2) throw new Error("the last record has no delimiter");
      return text.subarray(0, -1).toString();
    },
  };
}

function hkdf(secret: Buffer, salt: Buffer, info: Buffer | string, bytes: number): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, salt, info, bytes));
}

/** The binding for email, with the rules of the platform; `verified` are the allowed addresses. */
export function createFakeMail(verified: readonly string[]) {
  const mails: Parameters<EmailSender["send"]>[0][] = [];
  const email: EmailSender = {
    async send(mail) {
      const problems = checkEmail(mail);
      if (problems.length > 0) throw withCode("E_VALIDATION_ERROR", problems.join("; "));
      if (mail.from !== "errata@example.com") {
        throw withCode("E_SENDER_NOT_VERIFIED", "The sender is not verified.");
      }
      if (mail.to.some((address) => !verified.includes(address))) {
        throw withCode("E_RECIPIENT_NOT_ALLOWED", "The recipient is not verified.");
      }
      mails.push(mail);
      return { messageId: `<${mails.length}@example.com>` };
    },
  };
  return { email, mails };
}

/** An error of the binding. */
export function withCode(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
