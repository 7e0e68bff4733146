/** Starts the command of a browser or of its driver. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A running browser or driver. */
export interface OpenBrowser {
  readonly close: () => Promise<void>;
}

/**
 * Starts a command with an empty home, in a process group of its own. `close` ends the group and
 * deletes the home.
 */
export function startBrowser(createCommand: (profile: string) => readonly string[]): OpenBrowser {
  const profile = mkdtempSync(join(tmpdir(), "errata-browser-"));
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

/** Stops a process and its children, which share its group. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  process.kill(-child.pid, "SIGKILL");
  await ended;
}
