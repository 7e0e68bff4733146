/** One attempt to deliver an alert message. */
import type { AlertMessage } from "../../../core/alerts/alert-message.ts";
import {
  type DeliveryResult,
  interpretResponse,
} from "../../../core/alerts/destinations/delivery-result.ts";
import type { OutgoingCall } from "../../../core/alerts/destinations/destination-kind.ts";
import {
  checkDestination,
  createCall,
  type DestinationSettings,
  getDestinationKind,
} from "../../../core/alerts/destinations/destinations.ts";
import { WEBHOOK_SECRET_PREFIX } from "../../../core/scrubbing/own-secrets.ts";
import { createPushRequest, type VapidKeys } from "./push-request.ts";
import { type EmailSender, sendMail } from "./send-mail.ts";
import { type OutgoingRequest, sendRequest } from "./send-request.ts";

/** The environment of an attempt. */
export interface DeliveryContext {
  readonly fetch: typeof fetch;
  readonly nowMs: number;
  /** The binding for email, and the address of the sender; without both, email is not sent. */
  readonly email?: EmailSender;
  readonly emailFrom?: string;
  /** Hosts with ports, `127.0.0.1:18900`, that no address rule applies to. */
  readonly allowedTargets: readonly string[];
  /** The host of Errata itself. */
  readonly ownHost?: string;
  readonly vapid: VapidKeys;
  readonly signal?: AbortSignal;
}

/**
 * Sends `message` once and returns what the service answered. Never rejects. An attempt takes at
 * most ten seconds. Secrets of the destination are removed from the answer.
 */
export async function deliver(
  settings: DestinationSettings,
  message: AlertMessage,
  context: DeliveryContext,
): Promise<DeliveryResult> {
  const checked = checkDestination(settings, context.allowedTargets, context.ownHost);
  if (!checked.ok) return { kind: "failed", answer: checked.detail, isOwn: true };
  try {
    const call = createCall(settings, message, context.nowMs);
    if (call.kind === "mail") return await sendMail(call.to, call.mail, context);
    const request =
      call.kind === "push"
        ? await createPushRequest(call, context)
        : await createJsonRequest(call, message.id, context.nowMs);
    const answer = await sendRequest(request, context);
    const { answers = {} } = getDestinationKind(settings.kind);
    return interpretResponse(answers, answer, listSecrets(settings));
  } catch {
    // Keys that cannot be imported fail in every attempt.
    return {
      kind: "failed",
      answer: "The message could not be prepared for this destination.",
      isOwn: true,
    };
  }
}

async function createJsonRequest(
  {
    method,
    url,
    headers,
    body: json,
    signedWith: secrets,
  }: Extract<OutgoingCall, { kind: "json" }>,
  id: string,
  nowMs: number,
): Promise<OutgoingRequest> {
  const body = JSON.stringify(json);
  const signature = secrets && (await signWebhook({ id, nowMs, body, secrets }));
  return {
    method,
    url,
    headers: { "content-type": "application/json", ...headers, ...signature },
    body,
  };
}

/** Texts that an answer must not show: path and query of a URL, secrets, tokens. */
function listSecrets(settings: DestinationSettings): readonly string[] {
  const values = Object.entries(settings).flatMap(([name, value]) =>
    name === "kind" || typeof value !== "string" ? [] : [value],
  );
  const paths = values.flatMap((value) => {
    const url = URL.parse(value);
    return url === null ? [] : [`${url.pathname}${url.search}`, url.pathname, url.search];
  });
  return [...values, ...paths].filter((text) => text.length >= 4);
}

interface SignOptions {
  readonly id: string;
  readonly nowMs: number;
  readonly body: string;
  /** `whsec_` and base64; two during a rotation. */
  readonly secrets: readonly string[];
}

/** The headers `webhook-id`, `webhook-timestamp` and `webhook-signature`. */
async function signWebhook({ id, nowMs, body, secrets }: SignOptions) {
  const timestamp = String(Math.floor(nowMs / 1_000));
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const signatures = await Promise.all(
    secrets.map(async (secret) => {
      const key = await crypto.subtle.importKey(
        "raw",
        Uint8Array.from(atob(secret.slice(WEBHOOK_SECRET_PREFIX.length)), (char) =>
          char.charCodeAt(0),
        ),
        { name: "HMAC", hash: "SHA-256" },
        false,
        ["sign"],
      );
      const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, signed));
      return `v1,${btoa(String.fromCharCode(...bytes))}`;
    }),
  );
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}
