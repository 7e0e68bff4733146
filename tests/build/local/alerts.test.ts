// Alerts of the built product: from a report to a signed webhook and to the file of a mail.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "#support/eventually.ts";
import { serve } from "../../../.tools/local/serve.ts";

const KEY = "0123456789abcdef0123456789abcdef";
const state = mkdtempSync(join(tmpdir(), "errata-alerts-"));
const received: { readonly headers: Record<string, string>; readonly body: string }[] = [];
const receiver = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  received.push({ headers: request.headers as Record<string, string>, body });
  response.writeHead(204).end();
});
const lines: string[] = [];
let target = "";
let served: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  target = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  served = await serve({
    isLocalOpen: true,
    statePath: state,
    key: KEY,
    vars: { ERRATA_MAIL_FROM: "errata@localhost", ERRATA_ALERT_TARGETS: target },
    log: ({ message }) => lines.push(message),
  });
}, 60_000);
afterAll(async () => {
  await served?.stop();
  receiver.close();
  rmSync(state, { recursive: true, force: true });
});

const addDestination = async (fields: Record<string, string>) => {
  const response = await fetch(`${served.url}/settings/alerts/destinations`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ do: "save", ...fields }),
  });
  return (await response.json()) as { readonly secrets: readonly string[] };
};

/** Opens the link of the first mail, and confirms. Resolves to the name of the mail's file. */
async function confirmAddress(mails: string): Promise<string> {
  await eventually(() => expect(readdirSync(mails)).toHaveLength(2));
  const name = readdirSync(mails).find((one) => one.endsWith(".txt")) ?? "";
  const [link = ""] = /\S+confirm-email\S+/.exec(readFileSync(join(mails, name), "utf8")) ?? [];
  const { pathname, searchParams } = new URL(link);
  const url = `${served.url}${pathname}`;
  expect((await fetch(url, { method: "POST", body: searchParams })).status).toBe(200);
  return name;
}

it("a new issue is sent to a webhook, signed, and to the folder of mails, once", async () => {
  const hook = { kind: "webhook", name: "Hook", url: `http://${target}/hook` };
  const [secret = ""] = (await addDestination(hook)).secrets;
  await addDestination({ kind: "email", name: "Ada", to: "ada@example.com" });
  const mails = join(state, "mail");
  const asked = await confirmAddress(mails);
  const report = {
    errata: 1,
    how: "uncaught",
    type: "TypeError",
    message: "no cart\r\nBcc: e@x.co",
  };
  const send = () =>
    fetch(`${served.url}/monitoring?sentry_key=${KEY}`, {
      method: "POST",
      body: JSON.stringify(report),
    });
  expect((await send()).ok).toBe(true);
  await eventually(() => expect(received).toHaveLength(1));
  const [{ headers, body } = { headers: {}, body: "" }] = received;
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({
    type: "issue.new",
    data: { id: headers["webhook-id"], issues: [{ type: "TypeError", count: 1 }] },
  });
  await eventually(() => expect(readdirSync(mails)).toHaveLength(4));
  const isText = (name: string) => name.endsWith(".txt") && name !== asked;
  const text = readdirSync(mails).find(isText) ?? "";
  const [from, to, subject, blank] = readFileSync(join(mails, text), "utf8").split("\n");
  expect([from, to, blank]).toEqual(["From: errata@localhost", "To: ada@example.com", ""]);
  expect(subject).toMatch(/^Subject: TypeError: no cart Bcc: .* \(First project\)$/u);
  await eventually(() => expect(lines.join("\n")).toContain("Mail to ada@example.com"));
  await send();
  const { body: log } = await fetch(`${served.url}/settings/alerts.json`).then(
    async (response) => ({
      body: await response.text(),
    }),
  );
  expect(log).not.toContain("whsec_");
  expect(received).toHaveLength(1);
});
