/**
 * Push notifications in Firefox: a real subscription at a local push service, and an alert that the
 * browser itself decrypts and shows. Skipped without Firefox.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { serve } from "../../../.tools/local/serve.ts";
import { eventually } from "../../support/eventually.ts";
import { type Autopush, startAutopush } from "./autopush.ts";
import { findEngines } from "./engines.ts";
import { type FirefoxSession, startFirefox } from "./firefox-session.ts";

const key = "0123456789abcdef0123456789abcdef";
const hasFirefox = findEngines().some(({ name }) => name === "Firefox");
let push: Autopush;
let served: Awaited<ReturnType<typeof serve>>;
let firefox: FirefoxSession;

beforeAll(async () => {
  if (!hasFirefox) return;
  push = await startAutopush();
  served = await serve({ isLocalOpen: true, key, vars: { ERRATA_ALERT_TARGETS: push.target } });
  firefox = await startFirefox({
    "dom.push.serverURL": `ws://${push.target}/`,
    "dom.push.testing.allowInsecureServerURL": true,
    // The desktop's service would remove the notification where it cannot show it.
    "alerts.useSystemBackend": false,
    "permissions.default.desktop-notification": 1,
    // The preferences that Firefox recommends for tests disable push.
    "remote.prefs.recommended": false,
  });
}, 120_000);
afterAll(async () => {
  await firefox?.close();
  await served?.stop();
  push?.close();
});

it.skipIf(!hasFirefox)(
  "a browser subscribes, decrypts an alert and shows it",
  async () => {
    const url = served.url.replace("127.0.0.1", "localhost");
    await firefox.open(`${url}/alerts/preferences`);
    await eventually(async () => {
      const clicked = await firefox.evaluate(
        `(() => { const button = document.querySelector("[data-push-key] button");
        if (button.disabled) return "not yet enabled";
        button.click(); return "clicked"; })()`,
      );
      expect(clicked).toBe("clicked");
    });
    const settings = `${url}/settings/alerts.json`;
    await eventually(async () => {
      const { settings: saved } = (await (await fetch(settings)).json()) as {
        settings: { destinations: readonly { kind: string }[] };
      };
      expect(saved.destinations).toMatchObject([{ kind: "push" }]);
    });
    const report = { errata: 1, how: "uncaught", type: "TypeError", message: "no cart" };
    await fetch(`${url}/monitoring?sentry_key=${key}`, {
      method: "POST",
      body: JSON.stringify(report),
    });
    await eventually(async () => {
      const shown = await firefox.evaluate(
        `navigator.serviceWorker.getRegistration("/").then((one) => one.getNotifications())
        .then((all) => JSON.stringify(all.map(({ title, body }) => ({ title, body }))))`,
      );
      expect(shown).toContain("no cart");
    });
    expect(push.received[0]).toMatchObject({ "content-encoding": "aes128gcm" });
  },
  120_000,
);
