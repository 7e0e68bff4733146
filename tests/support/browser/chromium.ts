// Finds the Chromium that the tests and the screenshots use.

import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";
import { run } from "../../../.tools/command/run-package.ts";

const names = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "google-chrome-beta",
  "microsoft-edge",
];
const installTimeoutMs = 480_000;

/**
 * Resolves to the path of a Chromium: CHROMIUM_PATH, else the system's, else Debian's package if
 * this user can install one, else Playwright's download. Rejects with instructions when there is
 * none.
 */
export async function findChromium(): Promise<string> {
  const configured = process.env.CHROMIUM_PATH;
  if (configured) {
    if (existsSync(configured)) return configured;
    throw new Error(`CHROMIUM_PATH is ${configured}, where no file is: correct it, or unset it.`);
  }
  const found = findInstalled() ?? (installFromDebian() && findInstalled()) ?? (await download());
  if (found) return found;
  throw new Error(
    "The browser tests need Chromium, and none was found or could be installed: " +
      "install Chromium or Google Chrome, or say where one is with CHROMIUM_PATH.",
  );
}

/**
 * The options of playwright-core's `chromium.launch` on this machine. `args` are added to
 * Chromium's own.
 */
export async function createLaunchOptions(args: string[] = []) {
  // Chromium refuses to run its sandbox as root, the usual user of a container.
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  // Otherwise Chromium starts a spare process whenever another context loads a page.
  const processes = "--renderer-process-limit=1";
  return { executablePath: await findChromium(), args: [...sandbox, processes, ...args] };
}

/** Starts a headless Chromium. The caller closes it. */
export async function launchChromium(args: string[] = []) {
  return chromium.launch(await createLaunchOptions(args));
}

/**
 * The path of the system's Chromium or of Playwright's earlier download; undefined if neither
 * exists.
 */
function findInstalled() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const candidates = [
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    chromium.executablePath(),
  ];
  return candidates.find(isExecutable);
}

/** Installs Debian's package. False when that fails. */
function installFromDebian() {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  const aptGet = (...args: string[]) =>
    execFileSync("apt-get", args, {
      stdio: "ignore",
      timeout: installTimeoutMs,
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
  try {
    aptGet("update");
    aptGet("install", "-y", "--no-install-recommends", "chromium", "fonts-dejavu-core");
    return true;
  } catch {
    // Without apt-get, network or package, the next source is tried.
    return false;
  }
}

/** Downloads Playwright's Chromium and returns its path; undefined when that fails. */
async function download() {
  await run("playwright-core", ["install", "chromium"]);
  return findInstalled();
}

function isExecutable(path: string) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
