/** How builds upload source maps: the snippets for each tool, with the address filled in. */
import { toOrganization } from "../../core/accounts/upload-token.ts";
import type { Integration } from "./integration.ts";

/** Where a project receives source maps. */
export interface UploadAddress {
  /** `https://errata.example`. */
  readonly origin: string;
  readonly project: string;
}

/** Replaces the token, which is shown only when it is created. */
const TOKEN_VARIABLE = "$SENTRY_AUTH_TOKEN";

/**
 * Inserts debug ids into a build, which is deployed afterwards, and uploads it. sentry-cli requires
 * a project, which the token does not name.
 */
function createCliUpload({ project }: UploadAddress): string {
  return ["npx @sentry/cli sourcemaps inject dist", createCliCommand(project, "dist")].join(" && ");
}

function createCliCommand(project: string, folders: string): string {
  return `npx @sentry/cli sourcemaps upload --project ${project} --release shop@1.0.0 ${folders}`;
}

/** The environment variables that sentry-cli and all plugins read, for a shell. */
export function createUploadVariables({ origin, project }: UploadAddress, token: string): string {
  const address = `SENTRY_URL='${origin}' SENTRY_ORG=${toOrganization(origin)} SENTRY_PROJECT=${project}`;
  return `export SENTRY_AUTH_TOKEN='${token}' ${address}`;
}

/** Uploads one map. `base` is the path of the project. */
export function createCurlUpload(
  { origin }: UploadAddress,
  base: string,
  token = TOKEN_VARIABLE,
): string {
  const url = `${origin}${base}/source-maps?release=shop@1.0.0&url=~/assets/app.js.map`;
  return `curl -H "Authorization: Bearer ${token}" -T dist/assets/app.js.map "${url}"`;
}

/** The tools, the most common first. Each reads the variables above. */
export function listUploadIntegrations(
  address: UploadAddress,
  base: string,
): readonly Integration[] {
  const cliUpload = createCliUpload(address);
  return [
    {
      id: "vite",
      name: "Vite",
      description: "Injects debug ids, uploads the maps after each build, and then deletes them.",
      snippets: [{ file: "vite.config.ts", code: createViteConfig(address) }],
    },
    {
      id: "webpack",
      name: "webpack",
      description: "The same for webpack 5.",
      snippets: [{ file: "webpack.config.js", code: createWebpackConfig(address) }],
    },
    {
      id: "next-maps",
      name: "Next.js",
      description: "Maps for browser and server scripts, with Turbopack's debug ids.",
      snippets: [
        { file: "next.config.ts", code: NEXT_CONFIG },
        {
          file: "terminal",
          code: `next build\n${createCliCommand(address.project, ".next/static .next/server")}`,
        },
      ],
    },
    {
      id: "rspack",
      name: "Rspack",
      description: "The webpack plugin works with Rspack.",
      snippets: [{ file: "rspack.config.js", code: createWebpackConfig(address) }],
    },
    {
      id: "rollup",
      name: "Rollup",
      description: "The same for Rollup.",
      snippets: [{ file: "rollup.config.js", code: createRollupConfig(address) }],
    },
    {
      id: "esbuild",
      name: "esbuild",
      description:
        "A build script with the plugin. If you build on the command line, run sentry-cli afterwards.",
      snippets: [
        { file: "build.mjs", code: createEsbuildScript(address) },
        {
          file: "terminal",
          code: `esbuild src/app.ts --bundle --minify --sourcemap=external --outdir=dist && ${cliUpload}`,
        },
      ],
    },
    {
      id: "wrangler",
      name: "wrangler",
      description:
        "Stack traces of Workers contain no URL, so debug ids or a release must match. Build, inject ids, upload, then deploy the same files.",
      snippets: [
        {
          file: "terminal",
          code: [
            "wrangler deploy --dry-run --outdir dist --minify --upload-source-maps",
            cliUpload,
            "wrangler deploy dist/index.js --no-bundle",
          ].join("\n"),
        },
      ],
    },
    {
      id: "sentry-cli",
      name: "sentry-cli",
      description: "For any build in dist. The releases page shows the release and the deploy.",
      snippets: [
        {
          file: "terminal",
          code: [
            cliUpload.replace(" && ", "\n"),
            "npx @sentry/cli releases set-commits shop@1.0.0 --auto",
            "npx @sentry/cli releases finalize shop@1.0.0",
            "npx @sentry/cli releases deploys shop@1.0.0 new -e production",
          ].join("\n"),
        },
      ],
    },
    {
      id: "curl-maps",
      name: "curl",
      description:
        "A map, a script, or a zip or tar of a build. The response lists each file and its problems.",
      snippets: [
        { file: "a map", code: createCurlUpload(address, base) },
        { file: "a build", code: createBuildUpload(address, base) },
      ],
    },
  ];
}

function createBuildUpload({ origin }: UploadAddress, base: string): string {
  const url = `${origin}${base}/source-maps?release=shop@1.0.0&url=~/`;
  return `tar -cz -C dist . | curl -H "Authorization: Bearer ${TOKEN_VARIABLE}" -T - "${url}"`;
}

/** The options that the plugins do not read from the environment in every version. */
function createPluginOptions({ origin, project }: UploadAddress, maps: string): string {
  return `{
      url: "${origin}",
      org: "${toOrganization(origin)}",
      project: "${project}",
      authToken: process.env.SENTRY_AUTH_TOKEN,
      release: { name: "shop@1.0.0" },
      sourcemaps: { filesToDeleteAfterUpload: "${maps}" },
      telemetry: false,
    }`;
}

function createViteConfig(address: UploadAddress): string {
  return `import { sentryVitePlugin } from "@sentry/vite-plugin";
import { defineConfig } from "vite";

export default defineConfig({
  build: { sourcemap: "hidden" },
  plugins: [
    // … and last:
    sentryVitePlugin(${createPluginOptions(address, "dist/**/*.map")}),
  ],
});`;
}

function createWebpackConfig(address: UploadAddress): string {
  return `const { sentryWebpackPlugin } = require("@sentry/webpack-plugin");

module.exports = {
  devtool: "hidden-source-map",
  plugins: [
    // … and last:
    sentryWebpackPlugin(${createPluginOptions(address, "dist/**/*.map")}),
  ],
};`;
}

function createRollupConfig(address: UploadAddress): string {
  return `import { sentryRollupPlugin } from "@sentry/rollup-plugin";

export default {
  input: "src/app.js",
  output: { dir: "dist", sourcemap: "hidden" },
  plugins: [
    // … and last:
    sentryRollupPlugin(${createPluginOptions(address, "dist/**/*.map")}),
  ],
};`;
}

function createEsbuildScript(address: UploadAddress): string {
  return `import { sentryEsbuildPlugin } from "@sentry/esbuild-plugin";
import { build } from "esbuild";

await build({
  entryPoints: ["src/app.ts"],
  bundle: true,
  minify: true,
  sourcemap: "external",
  outdir: "dist",
  plugins: [
    sentryEsbuildPlugin(${createPluginOptions(address, "dist/**/*.map")}),
  ],
});`;
}

const NEXT_CONFIG = `import type { NextConfig } from "next";

export default {
  productionBrowserSourceMaps: true,
  turbopack: { debugIds: true },
  experimental: { serverSourceMaps: true },
} satisfies NextConfig;`;
