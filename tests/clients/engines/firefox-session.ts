/** Firefox that a test drives by WebDriver BiDi, which Firefox speaks by itself. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findFreePort } from "../../../.tools/local/port.ts";
import { eventually } from "../../support/eventually.ts";
import { startBrowser } from "./start-browser.ts";

/** A running Firefox with one page. */
export interface FirefoxSession {
  /** Opens a page and waits until it is loaded. */
  readonly open: (url: string) => Promise<void>;
  /** The value of an expression or promise in the page: a text. */
  readonly evaluate: (expression: string) => Promise<string | undefined>;
  /** Sends a command about the page, and resolves to its result. */
  readonly command: (method: string, params: object) => Promise<Result>;
  readonly close: () => Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: the results of WebDriver BiDi
type Result = any;

const START_TIMEOUT_MS = 90_000;

/** Starts Firefox without a window, with a new profile and these preferences. */
export async function startFirefox(
  preferences: Readonly<Record<string, string | number | boolean>> = {},
): Promise<FirefoxSession> {
  const port = await findFreePort();
  const firefox = startBrowser((profile) => {
    // The first start opens pages of its own otherwise.
    const all = { "browser.aboutwelcome.enabled": false, ...preferences };
    const lines = Object.entries(all).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
    );
    writeFileSync(join(profile, "user.js"), lines.join(""));
    const options = ["--headless", "--no-remote", "--profile", profile];
    return ["firefox-esr", ...options, `--remote-debugging-port=${port}`, "about:blank"];
  });
  const socket = await eventually(
    () => connect(`ws://127.0.0.1:${port}/session`),
    START_TIMEOUT_MS,
  );
  const send = createSender(socket);
  await send("session.new", { capabilities: {} });
  const { contexts } = await send("browsingContext.getTree", {});
  const { context } = contexts[0];
  return {
    async open(url) {
      await send("browsingContext.navigate", { context, url, wait: "complete" });
    },
    async evaluate(expression) {
      const { result, exceptionDetails } = await send("script.evaluate", {
        ...{ expression, target: { context }, awaitPromise: true, userActivation: true },
      });
      if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
      return result.value;
    },
    command: (method, params) => send(method, { context, ...params }),
    async close() {
      socket.close();
      await firefox.close();
    },
  };
}

function connect(url: string): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    socket.onopen = () => resolve(socket);
    socket.onerror = () => reject(new Error(`No connection to ${url}`));
  });
}

/** The functions of a promise of a result. */
interface Answer {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
}

/** Sends commands of WebDriver BiDi, and resolves to their results. */
function createSender(socket: WebSocket) {
  const pending = new Map<number, Answer>();
  socket.onmessage = ({ data }) => {
    const { id, type, result, error, message } = JSON.parse(String(data));
    if (type === "error") pending.get(id)?.reject(new Error(`${error}: ${message}`));
    else pending.get(id)?.resolve(result);
    pending.delete(id);
  };
  let lastId = 0;
  return (method: string, params: object) =>
    new Promise<Result>((resolve, reject) => {
      lastId += 1;
      pending.set(lastId, { resolve, reject });
      socket.send(JSON.stringify({ id: lastId, method, params }));
    });
}
