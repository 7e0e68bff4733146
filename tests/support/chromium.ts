// Where Chromium comes from: the tests and the screenshots drive the same one.

import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";
import { run } from "../../.tools/package-command.ts";

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
 * The path of a Chromium: what CHROMIUM_PATH says, else the system's, else Debian's package where this user may install
 * one, else the one that Playwright downloads. Rejects with a sentence that says what to do when there is none.
 */
export async function chromiumPath(): Promise<string> {
  const said = process.env.CHROMIUM_PATH;
  if (said) {
    if (existsSync(said)) return said;
    throw new Error(`CHROMIUM_PATH is ${said}, where no file is: correct it, or unset it.`);
  }
  const found = installed() ?? (installFromDebian() && installed()) ?? (await downloaded());
  if (found) return found;
  throw new Error(
    "The browser tests need Chromium, and none was found or could be installed: " +
      "install Chromium or Google Chrome, or say where one is with CHROMIUM_PATH.",
  );
}

/** What playwright-core's `chromium.launch` needs here. `args` are added to Chromium's own. */
export async function launchOptions(args: string[] = []) {
  // Chromium refuses to run its sandbox as root, which is what a container's user mostly is.
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return { executablePath: await chromiumPath(), args: [...sandbox, ...args] };
}

/** A Chromium without a window. The caller closes it. */
export async function launchChromium(args: string[] = []) {
  return chromium.launch(await launchOptions(args));
}

/** The system's or the one that Playwright has downloaded, or undefined. */
function installed() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const places = [
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    chromium.executablePath(),
  ];
  return places.find(isExecutable);
}

/** True when Debian's package was installed now. */
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
    // No apt-get, no network or no such package: the next way is tried.
    return false;
  }
}

/** The path of Playwright's own download, or undefined when it cannot be had. */
async function downloaded() {
  await run("playwright-core", ["install", "chromium"]);
  return installed();
}

function isExecutable(path: string) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
