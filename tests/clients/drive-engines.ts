/** Starts the engines of this machine that a test can drive: Firefox and WebKitGTK. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { type DrivenPage, drivePage } from "./driven-page.ts";
import { findEngines } from "./engines.ts";

/** An engine and how a page of it is opened, with a new profile. */
interface DrivenEngine {
  readonly name: "Firefox" | "WebKit";
  readonly open: () => Promise<DrivenPage>;
}

const START_TIMEOUT_MS = 90_000;
const WEBKIT_DRIVER = "/usr/bin/WebKitWebDriver";

/** Those that are installed, or that `findEngines` could install. */
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
  const port = await findFreePort();
  const process = start((profile) => {
    // The first start opens pages of its own otherwise.
    writeFileSync(join(profile, "user.js"), 'user_pref("browser.aboutwelcome.enabled", false);\n');
    const options = ["--headless", "--no-remote", "--profile", profile];
    return ["firefox-esr", ...options, `--remote-debugging-port=${port}`, "about:blank"];
  });
  const socket = await eventually(
    () => connect(`ws://127.0.0.1:${port}/session`),
    START_TIMEOUT_MS,
  );
  const send = createBidiSender(socket);
  await send("session.new", { capabilities: {} });
  const tree = await send("browsingContext.getTree", {});
  const { context } = (tree.contexts as { context: string }[])[0] ?? { context: "" };
  return drivePage({
    goto: async (url) =>
      void (await send("browsingContext.navigate", { context, url, wait: "complete" })),
    async evaluate(body) {
      const expression = `(async () => JSON.stringify((await (async () => {${body}})()) ?? null))()`;
      const target = { context };
      const { result, exceptionDetails } = await send("script.evaluate", {
        ...{ expression, target, awaitPromise: true },
      });
      if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
      return (result as { value: string }).value;
    },
    perform: async (actions) => void (await send("input.performActions", { context, actions })),
    resize: async (width, height) =>
      void (await send("browsingContext.setViewport", { context, viewport: { width, height } })),
    async close() {
      socket.close();
      await process.close();
    },
  });
}

/** Sends commands of WebDriver BiDi, and resolves to their results. */
function createBidiSender(socket: WebSocket) {
  const pending = new Map<number, Answer>();
  socket.onmessage = ({ data }) => {
    const { id, type, result, message } = JSON.parse(data);
    if (type === "error") pending.get(id)?.reject(new Error(message));
    else pending.get(id)?.resolve(result);
    pending.delete(id);
  };
  let lastId = 0;
  return (method: string, params: object) =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      lastId += 1;
      pending.set(lastId, { resolve, reject });
      socket.send(JSON.stringify({ id: lastId, method, params }));
    });
}

/** The functions of a promise of a result. */
interface Answer {
  readonly resolve: (result: Record<string, unknown>) => void;
  readonly reject: (error: Error) => void;
}

function connect(url: string): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    socket.onopen = () => resolve(socket);
    socket.onerror = () => reject(new Error(`No connection to ${url}`));
  });
}

async function openWebKit(): Promise<DrivenPage> {
  const port = await findFreePort();
  const process = start(() => ["xvfb-run", "-a", WEBKIT_DRIVER, `--port=${port}`]);
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

/** Starts a command with an empty home, in a process group of its own. */
function start(createCommand: (profile: string) => readonly string[]) {
  const profile = mkdtempSync(join(tmpdir(), "errata-driven-"));
  const [command = "", ...args] = createCommand(profile);
  const env = { ...process.env, HOME: profile, XDG_RUNTIME_DIR: profile };
  const child = spawn(command, args, { stdio: "ignore", detached: true, env });
  return {
    async close() {
      await stop(child);
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  process.kill(-child.pid, "SIGKILL");
  await ended;
}

function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });
}
