/** Firefox that a test drives by WebDriver BiDi, which Firefox speaks by itself. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A running Firefox with one page. */
export interface TestFirefox {
  /** Opens a page and waits until it is loaded. */
  readonly open: (url: string) => Promise<void>;
  /** The value of an expression or promise in the page: a text. */
  readonly evaluate: (expression: string) => Promise<string | undefined>;
  readonly close: () => Promise<void>;
}

interface Reply {
  readonly id?: number;
  readonly error?: string;
  readonly message?: string;
  // biome-ignore lint/suspicious/noExplicitAny: the results of WebDriver BiDi
  readonly result?: any;
}

/** Starts Firefox without a window, with a new profile and these preferences. */
export async function startFirefox(
  preferences: Readonly<Record<string, string | number | boolean>>,
): Promise<TestFirefox> {
  const profile = mkdtempSync(join(tmpdir(), "errata-firefox-"));
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  writeFileSync(join(profile, "user.js"), lines.join(""));
  const env = { ...process.env, HOME: profile, XDG_RUNTIME_DIR: profile };
  const args = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"];
  const child = spawn("firefox-esr", args, { stdio: ["ignore", "ignore", "pipe"], env });
  const address = await new Promise<string>((resolve, reject) => {
    let output = "";
    child.stderr.on("data", (bytes: Buffer) => {
      output += bytes;
      const [, found] = /WebDriver BiDi listening on (ws:\S+)/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", () => reject(new Error(`Firefox ended: ${output}`)));
  });
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const waiting = new Map<number, (reply: Reply) => void>();
  socket.onmessage = ({ data }) => {
    const reply = JSON.parse(String(data)) as Reply;
    if (reply.id !== undefined) waiting.get(reply.id)?.(reply);
  };
  let last = 0;
  const call = async (method: string, params: object) => {
    const id = ++last;
    const replied = new Promise<Reply>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const { error, message, result } = await replied;
    if (error !== undefined) throw new Error(`${method}: ${error}: ${message}`);
    return result;
  };
  await call("session.new", { capabilities: {} });
  const { contexts } = await call("browsingContext.getTree", {});
  const { context } = contexts[0];
  return {
    async open(url) {
      await call("browsingContext.navigate", { context, url, wait: "complete" });
    },
    async evaluate(expression) {
      const { result, exceptionDetails } = await call("script.evaluate", {
        expression,
        target: { context },
        awaitPromise: true,
        userActivation: true,
      });
      if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
      return result.value;
    },
    async close() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
