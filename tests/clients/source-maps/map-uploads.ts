/**
 * Builds of one program by the bundlers that teams use, each uploaded by the tool that belongs to
 * it. Every build is a folder that a site can serve.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  type BuildOptions,
  build as buildWithEsbuild,
  type Plugin as EsbuildPlugin,
  transformSync,
} from "esbuild";
import type { Plugin } from "rollup";
import { toOrganization } from "../../../src/core/accounts/upload-token.ts";

const clients = fileURLToPath(new URL("..", import.meta.url));
const entry = join(clients, "programs/till/main.ts");

const PLAIN_BUILD: BuildOptions = {
  entryPoints: [entry],
  bundle: true,
  minify: true,
  sourcemap: "external",
  logLevel: "error",
};

/** Both lines of sentry-cli that are in use. */
export const SENTRY_CLI = {
  "3.8": join(clients, "node_modules/@sentry/cli/bin/sentry-cli"),
  "2.58": join(clients, "node_modules/sentry-cli-2/bin/sentry-cli"),
} as const;

/** Where a tool uploads to. */
export interface UploadTarget {
  readonly url: string;
  /** An upload token. */
  readonly token: string;
}

/** A build: its folder, and its script from there. */
export interface Build {
  readonly folder: string;
  readonly script: string;
}

/**
 * A folder for builds beside node_modules, with the database of the plugins, which is in the home
 * folder otherwise. `remove` deletes it.
 */
export function createBuildFolder() {
  const root = mkdtempSync(join(clients, ".builds-"));
  process.env.SENTRY_CONFIG_DIR = join(root, "sentry");
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** The plugins swallow failures of an upload; the tests see them by unresolved frames. */
function createPluginOptions({ url, token }: UploadTarget, release: string) {
  return {
    url,
    org: toOrganization(url),
    project: "1",
    authToken: token,
    release: { name: release },
    telemetry: false,
    silent: true,
  };
}

/** Builds with Vite and @sentry/vite-plugin, which uploads. */
export async function buildWithVite(root: string, target: UploadTarget): Promise<Build> {
  const [{ build }, { sentryVitePlugin }] = await Promise.all([
    import("vite"),
    import("@sentry/vite-plugin"),
  ]);
  const folder = join(root, "vite");
  await build({
    configFile: false,
    logLevel: "error",
    root: join(clients, "programs/till"),
    plugins: [sentryVitePlugin(createPluginOptions(target, "till@vite"))],
    build: { outDir: folder, sourcemap: "hidden", rolldownOptions: { input: entry } },
  });
  return findScript(folder);
}

/** Builds with webpack and @sentry/webpack-plugin, which uploads. */
export async function buildWithWebpack(root: string, target: UploadTarget): Promise<Build> {
  const { default: webpack } = await import("webpack");
  return runWebpack(webpack, join(root, "webpack"), target, "till@webpack");
}

/** Builds with Rspack and @sentry/webpack-plugin, whose interface Rspack has. */
export async function buildWithRspack(root: string, target: UploadTarget): Promise<Build> {
  const { rspack } = await import("@rspack/core");
  const compile = rspack as unknown as typeof import("webpack");
  return runWebpack(compile, join(root, "rspack"), target, "till@rspack");
}

async function runWebpack(
  webpack: typeof import("webpack"),
  folder: string,
  target: UploadTarget,
  release: string,
): Promise<Build> {
  const { sentryWebpackPlugin } = await import("@sentry/webpack-plugin");
  const loader = join(clients, "programs/till/esbuild-loader.cjs");
  await new Promise<void>((resolve, reject) => {
    const compiler = webpack({
      mode: "production",
      context: clients,
      entry,
      devtool: "hidden-source-map",
      output: { path: folder },
      module: { rules: [{ test: /\.ts$/, loader }] },
      plugins: [sentryWebpackPlugin(createPluginOptions(target, release))],
    });
    compiler.run((error, stats) => {
      if (error || stats?.hasErrors()) reject(error ?? new Error(stats?.toString()));
      else compiler.close(() => resolve());
    });
  });
  return findScript(folder);
}

/** Bundles with Rollup and @sentry/rollup-plugin, which uploads. */
export async function buildWithRollup(root: string, target: UploadTarget): Promise<Build> {
  const [{ rollup }, { sentryRollupPlugin }] = await Promise.all([
    import("rollup"),
    import("@sentry/rollup-plugin"),
  ]);
  const folder = join(root, "rollup");
  const bundle = await rollup({
    input: entry,
    plugins: [
      rollupEsbuild,
      sentryRollupPlugin(createPluginOptions(target, "till@rollup")) as Plugin,
    ],
  });
  await bundle.write({ dir: folder, format: "es", sourcemap: "hidden", compact: true });
  await bundle.close();
  return findScript(folder);
}

/** Finds packages, and removes types, as the plugins of teams do. */
const rollupEsbuild: Plugin = {
  name: "esbuild",
  async resolveId(source, importer) {
    if (importer === undefined || source.startsWith("\0")) return null;
    if (source.startsWith(".")) return join(dirname(importer), source);
    return fileURLToPath(import.meta.resolve(source, pathToFileURL(importer)));
  },
  transform(code, sourcefile) {
    const isTyped = sourcefile.endsWith(".ts");
    const options = { sourcefile, sourcemap: true, minifySyntax: true } as const;
    return isTyped ? transformSync(code, { ...options, loader: "ts" }) : null;
  },
};

/** Builds with esbuild and @sentry/esbuild-plugin, which uploads. */
export async function buildWithEsbuildPlugin(root: string, target: UploadTarget): Promise<Build> {
  const { sentryEsbuildPlugin } = await import("@sentry/esbuild-plugin");
  const folder = join(root, "esbuild");
  const plugin = sentryEsbuildPlugin(createPluginOptions(target, "till@esbuild"));
  await buildWithEsbuild({ ...PLAIN_BUILD, plugins: [plugin as EsbuildPlugin], outdir: folder });
  return findScript(folder);
}

/** Builds with esbuild, without an upload. */
export async function buildPlain(root: string, name: string): Promise<Build> {
  const folder = join(root, name);
  await buildWithEsbuild({ ...PLAIN_BUILD, outdir: folder });
  return findScript(folder);
}

/** Runs sentry-cli with the token alone: it names the address and the organization. */
export function runSentryCli(
  version: keyof typeof SENTRY_CLI,
  args: readonly string[],
  { token }: UploadTarget,
  variables: Readonly<Record<string, string>> = { SENTRY_PROJECT: "1" },
): Promise<string> {
  const {
    HOME: _,
    SENTRY_URL: __,
    SENTRY_ORG: ___,
    SENTRY_PROJECT: ____,
    ...inherited
  } = process.env;
  const home = join(clients, "node_modules/.home");
  mkdirSync(home, { recursive: true });
  const env = { ...inherited, HOME: home, SENTRY_AUTH_TOKEN: token, ...variables };
  return new Promise((resolve, reject) => {
    execFile(SENTRY_CLI[version], args, { env, cwd: clients }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout + stderr);
      else reject(new Error(`sentry-cli ${args.join(" ")}:\n${stdout}${stderr}`));
    });
  });
}

function findScript(folder: string): Build {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && file.name.endsWith(".js"))
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
  const [script] = files;
  if (script === undefined || files.length > 1) throw new Error(`scripts: ${files.join(", ")}`);
  return { folder, script };
}
