// Push notifications in a real browser: the service worker is registered under the policy of the
// page, and shows a message.

import { expect, it } from "vitest";
import { openProduct } from "#support/browser/product.ts";
import { eventually } from "#support/eventually.ts";

const product = openProduct();

it("a push message becomes a notification of the issue", async () => {
  const page = await product.open();
  const context = page.context();
  await context.grantPermissions(["notifications"], { origin: product.url });
  const problems: string[] = [];
  page.on("console", (message) => {
    if (/Content Security Policy|TrustedScriptURL/.test(message.text())) {
      problems.push(message.text());
    }
  });
  // Navigation within the desk keeps the policy of the first page, which allows no service worker.
  await page.goto("/alerts");
  await page.getByRole("link", { name: "your alerts" }).click();
  await page.waitForURL("**/alerts/preferences");
  const devtools = await context.newCDPSession(page);
  let registrationId: string | undefined;
  devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
    registrationId = registrations[0]?.registrationId ?? registrationId;
  });
  await devtools.send("ServiceWorker.enable");
  await page.getByRole("button", { name: "Notify this browser" }).click();
  const message = {
    title: "New issue · Shop",
    body: "TypeError",
    path: "/issues",
    tag: "7F3K-Q2M9",
  };
  await eventually(async () => {
    if (registrationId === undefined) throw new Error("not registered");
    const data = JSON.stringify(message);
    const push = { origin: product.url, registrationId, data };
    await devtools.send("ServiceWorker.deliverPushMessage", push);
    const shown = await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration("/");
      const notifications = (await registration?.getNotifications()) ?? [];
      return notifications.map(({ title, body, tag, data: path }) => ({ title, body, tag, path }));
    });
    expect(shown).toEqual([message]);
  });
  expect(problems).toEqual([]);
});
