/**
 * Starts the installed browser of each engine at an address and without automation: Chromium,
 * Debian's firefox-esr, and WebKitGTK's MiniBrowser on a virtual display.
 */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createLaunchOptions } from "../../support/browser/chromium.ts";
import { type OpenBrowser, startBrowser } from "./start-browser.ts";

/** A browser that is installed here. */
interface Engine {
  readonly name: "Chromium" | "Firefox" | "WebKit";
  /** Opens an address with a new profile. `args` are added to the browser's own. */
  readonly open: (url: string, args?: readonly string[]) => Promise<OpenBrowser>;
}

const INSTALL_TIMEOUT_MS = 480_000;
const PACKAGES = ["firefox-esr", "webkit2gtk-driver", "xvfb", "xauth"];
const MINI_BROWSERS = "/usr/lib/*/webkit2gtk-4.*/MiniBrowser";

/**
 * The engines of this machine. Firefox and WebKit are installed from Debian where this user can;
 * elsewhere only the installed ones are returned.
 */
export function findEngines(): readonly Engine[] {
  if (!hasFirefox() || findMiniBrowser() === undefined) installFromDebian();
  return [chromium, ...(hasFirefox() ? [firefox] : []), ...(findMiniBrowser() ? [webkit] : [])];
}

const chromium: Engine = {
  name: "Chromium",
  async open(url, args = []) {
    const { executablePath, args: ownArgs } = await createLaunchOptions([
      "--headless=new",
      ...args,
    ]);
    return startBrowser((profile) => [
      executablePath,
      ...ownArgs,
      `--user-data-dir=${profile}`,
      url,
    ]);
  },
};

const firefox: Engine = {
  name: "Firefox",
  async open(url, args = []) {
    return startBrowser((profile) => {
      // The first start opens pages of its own otherwise.
      writeFileSync(
        join(profile, "user.js"),
        'user_pref("browser.aboutwelcome.enabled", false);\n' +
          'user_pref("datareporting.policy.dataSubmissionEnabled", false);\n',
      );
      return ["firefox-esr", "--headless", "--no-remote", "--profile", profile, ...args, url];
    });
  },
};

const webkit: Engine = {
  name: "WebKit",
  async open(url, args = []) {
    const browser = findMiniBrowser() ?? "MiniBrowser";
    return startBrowser(() => ["xvfb-run", "-a", browser, "--private", ...args, url]);
  },
};

function hasFirefox(): boolean {
  return existsSync("/usr/bin/firefox-esr");
}

function findMiniBrowser(): string | undefined {
  return existsSync("/usr/bin/xvfb-run") ? globSync(MINI_BROWSERS)[0] : undefined;
}

function installFromDebian(): void {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const options = { stdio: "ignore", timeout: INSTALL_TIMEOUT_MS, env } as const;
  try {
    execFileSync("apt-get", ["update"], options);
    execFileSync("apt-get", ["install", "-y", "--no-install-recommends", ...PACKAGES], options);
  } catch {
    // Without apt-get, network or package, the tests run in the browsers that are here.
  }
}
