/** One attempt to deliver an alert message. */

import type { AlertMessage } from "../../../core/alerts/alert-message.ts";
import type { DeliveryResult } from "../../../core/alerts/delivery-result.ts";
import type { DestinationSettings } from "../../../core/alerts/destination.ts";
import { toWebhookBody } from "../../../core/alerts/formats/webhook-body.ts";
import { checkDestination, createJsonRequest } from "../../../core/alerts/kinds/kinds.ts";
import { interpretResponse } from "./interpret-response.ts";
import { createPushRequest, type VapidKeys } from "./push-request.ts";
import { type EmailSender, sendEmail } from "./send-email.ts";
import { type OutgoingRequest, sendRequest } from "./send-request.ts";
import { signWebhook } from "./sign-webhook.ts";

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
  if (!checked.ok) return { kind: "failed", answer: checked.detail };
  try {
    if (settings.kind === "email") return await sendEmail(settings, message, context);
    const request = await createRequest(settings, message, context);
    const answer = await sendRequest(request, context);
    return interpretResponse(settings.kind, answer, listSecrets(settings));
  } catch {
    // Keys that cannot be imported fail in every attempt.
    return { kind: "failed", answer: "The message could not be prepared for this destination." };
  }
}

function createRequest(
  settings: Exclude<DestinationSettings, { kind: "email" }>,
  message: AlertMessage,
  context: DeliveryContext,
): OutgoingRequest | Promise<OutgoingRequest> {
  if (settings.kind === "webhook") return createWebhookRequest(settings, message, context.nowMs);
  if (settings.kind === "push") return createPushRequest(settings, message, context);
  const request = createJsonRequest(settings, message);
  if (request === null) throw new Error(`no request for ${settings.kind}`);
  const { url, headers, body } = request;
  return {
    url,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  };
}

async function createWebhookRequest(
  settings: Extract<DestinationSettings, { kind: "webhook" }>,
  message: AlertMessage,
  nowMs: number,
): Promise<OutgoingRequest> {
  const { secret, previousSecret, previousUntilMs = 0 } = settings;
  const body = JSON.stringify(toWebhookBody(message));
  const isRotating = previousSecret !== undefined && nowMs < previousUntilMs;
  const secrets = isRotating ? [secret, previousSecret] : [secret];
  const signature = await signWebhook({ id: message.id, nowMs, body, secrets });
  const headers = { "content-type": "application/json", ...signature };
  return { url: settings.url, headers, body };
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
