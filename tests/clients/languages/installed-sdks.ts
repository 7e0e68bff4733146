/**
 * The SDKs of other languages that the tests run: those of the system, else Debian's packages if
 * this user can install them.
 */
import { execFile, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** A language with an SDK of Sentry among Debian's packages. */
export type Language = "Python" | "Ruby" | "Go";

const PACKAGES: Readonly<Record<Language, readonly string[]>> = {
  Python: ["python3-sentry-sdk"],
  Ruby: ["ruby", "ruby-rack", "ruby-sentry-ruby"],
  Go: ["golang-go", "golang-github-getsentry-sentry-go-dev"],
};

/** The arguments with which a command of the language ends with 0 if the SDK is installed. */
const CHECKS: Readonly<Record<Language, { command: string; args: readonly string[] }>> = {
  Python: { command: "python3", args: ["-c", "import sentry_sdk"] },
  Ruby: { command: "ruby", args: ["-rrack", "-rsentry-ruby", "-e", ""] },
  Go: { command: "go", args: ["list", "github.com/getsentry/sentry-go"] },
};

/** Debian's Go packages are sources in one folder, without modules. */
export const GO_ENV = {
  GO111MODULE: "off",
  GOPATH: "/usr/share/gocode",
  GOTOOLCHAIN: "local",
  // .gitignore names it. The standard library is compiled once.
  GOCACHE: fileURLToPath(new URL("../.builds-go-cache", import.meta.url)),
};

const installTimeoutMs = 480_000;
const runFile = promisify(execFile);

/**
 * The path of the language's command, if it finds the SDK. A Python that was installed by hand is
 * often before the system's in PATH and does not find the system's packages, so all are asked.
 */
export function findCommand(language: Language): string | undefined {
  const { command, args } = CHECKS[language];
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin"];
  const paths = new Set(folders.map((folder) => join(folder, command)));
  return [...paths].filter((path) => existsSync(path)).find((path) => finds(path, args));
}

/**
 * Installs the SDKs that are missing, where root can run apt-get. The message names the SDKs that
 * are installed, and the command for the others, whose tests are skipped. Rejects if apt-get fails.
 */
export async function installSdks(): Promise<{ ok: true; message: string }> {
  const missing = listMissing();
  if (missing.length > 0 && canInstall()) {
    const packages = missing.flatMap((language) => PACKAGES[language]);
    await runAptGet("update");
    await runAptGet("install", "-y", "--no-install-recommends", ...packages);
  }
  const absent = listMissing();
  const installed = languages.filter((language) => !absent.includes(language));
  const packages = absent.flatMap((language) => PACKAGES[language]).join(" ");
  const skipped = `skipped: ${absent.join(", ")} (Debian: apt-get install ${packages})`;
  return {
    ok: true,
    message: [installed.join(", "), ...(absent.length > 0 ? [skipped] : [])].join("; "),
  };
}

const languages = Object.keys(PACKAGES) as Language[];

function listMissing(): Language[] {
  return languages.filter((language) => findCommand(language) === undefined);
}

function finds(path: string, args: readonly string[]): boolean {
  try {
    execFileSync(path, args, { stdio: "ignore", env: { ...process.env, ...GO_ENV } });
    return true;
  } catch {
    return false;
  }
}

function canInstall(): boolean {
  return process.platform === "linux" && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
}

async function runAptGet(...args: string[]): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await runFile("apt-get", args, { env, timeout: installTimeoutMs, maxBuffer: 100_000_000 });
}
