/** Webhooks as the services send them: their bodies, and headers with signatures. */
import { createHash, createHmac } from "node:crypto";
import type { KindName } from "./fake-trackers.ts";

type Json = Readonly<Record<string, unknown>>;

export interface SentHook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An issue that was closed or reopened in the service, at `atMs`. */
export function toStateHook(
  kind: KindName,
  number: number,
  state: "open" | "closed",
  { atMs, reason = "completed", by = "grace" }: { atMs: number; reason?: string; by?: string },
): Json {
  const time = new Date(atMs).toISOString();
  const isOpen = state === "open";
  switch (kind) {
    case "github":
      return {
        action: isOpen ? "reopened" : "closed",
        issue: { number, state, state_reason: isOpen ? "reopened" : reason, updated_at: time },
        repository: { full_name: "Acme/Shop", default_branch: "main" },
        sender: { login: by },
      };
    case "gitlab":
      return {
        object_kind: "issue",
        user: { username: by },
        project: { path_with_namespace: "acme/web/shop", default_branch: "main" },
        object_attributes: {
          iid: number,
          action: isOpen ? "reopen" : "close",
          updated_at: time.replace("T", " ").replace(/\.\d+Z/, " UTC"),
        },
      };
    case "linear":
      return {
        type: "Issue",
        action: "update",
        actor: { name: by },
        data: {
          identifier: `ENG-${number}`,
          updatedAt: time,
          state: { type: isOpen ? "started" : reason === "completed" ? "completed" : "canceled" },
        },
        updatedFrom: { stateId: "s9" },
        webhookTimestamp: atMs,
      };
    case "jira":
      return {
        webhookEvent: "jira:issue_updated",
        timestamp: atMs,
        user: { displayName: by },
        issue: {
          key: `SHOP-${number}`,
          fields: {
            status: { statusCategory: { key: isOpen ? "indeterminate" : "done" } },
            resolution: isOpen ? null : { name: reason === "completed" ? "Done" : "Won't Do" },
          },
        },
        changelog: { items: [{ field: "status" }] },
      };
  }
}

/** The delivery of a body, signed as the service does. */
export function signHook(
  kind: KindName,
  body: Json,
  secret: string,
  { event = "issues", atMs = 0, id }: { event?: string; atMs?: number; id?: string } = {},
): SentHook {
  const text = JSON.stringify(body);
  const hmac = (key: string | Buffer, signed: string, encoding: "hex" | "base64") =>
    createHmac("sha256", key).update(signed).digest(encoding);
  const delivery = id ?? createHash("md5").update(text).digest("hex");
  switch (kind) {
    case "github":
      return {
        body: text,
        headers: {
          "x-github-event": event,
          "x-github-delivery": delivery,
          "x-hub-signature-256": `sha256=${hmac(secret, text, "hex")}`,
        },
      };
    case "gitlab": {
      const time = Math.floor(atMs / 1_000);
      const key = Buffer.from(secret.replace("whsec_", ""), "base64");
      return {
        body: text,
        headers: {
          "webhook-id": delivery,
          "webhook-timestamp": String(time),
          "webhook-signature": `v1,${hmac(key, `${delivery}.${time}.${text}`, "base64")}`,
        },
      };
    }
    case "linear":
      return {
        body: text,
        headers: {
          "linear-event": "Issue",
          "linear-delivery": delivery,
          "linear-signature": hmac(secret, text, "hex"),
        },
      };
    case "jira":
      return {
        body: text,
        headers: {
          "x-atlassian-webhook-identifier": delivery,
          "x-hub-signature": `sha256=${hmac(secret, text, "hex")}`,
        },
      };
  }
}
