/** Starts the engines of this machine that a test can drive: Firefox and WebKitGTK. */
import { existsSync } from "node:fs";
import { findFreePort } from "../../../.tools/local/port.ts";
import { eventually } from "../../support/eventually.ts";
import { type DrivenPage, drivePage } from "./driven-page.ts";
import { findEngines } from "./engines.ts";
import { startFirefox } from "./firefox-session.ts";
import { startBrowser } from "./start-browser.ts";

/** An engine and how a page of it is opened, with a new profile. */
interface DrivenEngine {
  readonly name: "Firefox" | "WebKit";
  readonly open: () => Promise<DrivenPage>;
}

const START_TIMEOUT_MS = 90_000;
const WEBKIT_DRIVER = "/usr/bin/WebKitWebDriver";

/** The engines that are installed, or that `findEngines` could install. */
export function findDrivenEngines(): readonly DrivenEngine[] {
  const names = findEngines().map(({ name }) => name);
  return [
    ...(names.includes("Firefox") ? [{ name: "Firefox", open: openFirefox } as const] : []),
    ...(names.includes("WebKit") && existsSync(WEBKIT_DRIVER)
      ? [{ name: "WebKit", open: openWebKit } as const]
      : []),
  ];
}

async function openFirefox(): Promise<DrivenPage> {
  const { open, evaluate, command, close } = await startFirefox();
  return drivePage({
    goto: open,
    async evaluate(body) {
      const run = `(async () => {${body}})()`;
      const json = await evaluate(`(async () => JSON.stringify((await ${run}) ?? null))()`);
      return json ?? "null";
    },
    perform: async (actions) => void (await command("input.performActions", { actions })),
    resize: async (width, height) =>
      void (await command("browsingContext.setViewport", { viewport: { width, height } })),
    close,
  });
}

async function openWebKit(): Promise<DrivenPage> {
  const port = await findFreePort();
  const process = startBrowser(() => ["xvfb-run", "-a", WEBKIT_DRIVER, `--port=${port}`]);
  const driver = `http://127.0.0.1:${port}`;
  await eventually(async () => (await fetch(`${driver}/status`)).json(), START_TIMEOUT_MS);
  const { sessionId } = (await send(`${driver}/session`, {
    capabilities: { alwaysMatch: { pageLoadStrategy: "normal" } },
  })) as { sessionId: string };
  const session = `${driver}/session/${sessionId}`;
  return drivePage({
    goto: async (url) => void (await send(`${session}/url`, { url })),
    async evaluate(body) {
      const script = `const done = arguments[0];
        (async () => {${body}})().then((value) => done(JSON.stringify(value ?? null)),
          (error) => done("error " + error));`;
      const value = (await send(`${session}/execute/async`, { script, args: [] })) as string;
      if (value.startsWith("error ")) throw new Error(value);
      return value;
    },
    perform: async (actions) => void (await send(`${session}/actions`, { actions })),
    resize: async (width, height) => void (await send(`${session}/window/rect`, { width, height })),
    async close() {
      await fetch(session, { method: "DELETE" }).catch(() => undefined);
      await process.close();
    },
  });
}

async function send(url: string, body: object): Promise<unknown> {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  const { value } = (await response.json()) as { value: { error?: string; message?: string } };
  if (!response.ok) throw new Error(`${url}: ${value.error} ${value.message}`);
  return value;
}
