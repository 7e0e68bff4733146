/**
 * Integrations by the adapters of the package `errata`. The lines are those of the framework's page
 * in the documentation, with the address filled in.
 */
import {
  type IngestAddress,
  type Integration,
  type Snippet,
  toMonitoringUrl,
  toServerDsn,
} from "./integration.ts";

/** An adapter, without what all have in common. */
interface Adapter {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly files: (to: string) => readonly Snippet[];
}

/** The adapters, the most common first. */
export function listAdapterIntegrations(address: IngestAddress): readonly Integration[] {
  const to = toMonitoringUrl(address);
  const dsn = toServerDsn(address);
  const shared: readonly Snippet[] = [
    {
      file: "terminal",
      code: `curl -O ${address.origin}/errata.tgz\nnpm install ./errata.tgz`,
    },
    { file: "environment variables", code: `ERRATA_DSN="${dsn}"` },
  ];
  return ADAPTERS.map(({ id, name, description, files }) => ({
    id,
    name,
    description,
    endpoint: { name: "DSN", value: dsn },
    keyKind: "server",
    snippets: [...shared, ...files(to)],
    docs: `/docs/${id}`,
  }));
}

const ADAPTERS: readonly Adapter[] = [
  {
    id: "next",
    name: "Next.js",
    description: "Every failure of the App and the Pages Router, with the digest on its page.",
    files: (to) => [
      {
        file: "instrumentation.ts",
        code: 'export { onRequestError, register } from "errata/next";',
      },
      {
        file: "instrumentation-client.ts",
        code: `import { startErrata } from "errata/next/client";\n\nstartErrata({ to: "${to}" });`,
      },
      {
        file: "proxy.ts",
        code: `export { proxy } from "errata/next";

export const config = { matcher: "/((?!_next/|.*\\\\..*).*)" };`,
      },
      {
        file: "app/error.tsx",
        code: '"use client";\n\nexport { ErrorPage as default } from "errata/next/client";',
      },
      {
        file: "app/global-error.tsx",
        code: '"use client";\n\nexport { GlobalErrorPage as default } from "errata/next/client";',
      },
    ],
  },
  {
    id: "react-router",
    name: "React Router",
    description: "Loaders, actions, middleware, resource routes and components.",
    files: (to) => [
      {
        file: "app/entry.server.tsx",
        code: `import { createHandleRequest } from "errata/react-router";
import { isbot } from "isbot";
import { renderToReadableStream } from "react-dom/server";
import { ServerRouter } from "react-router";

export { handleDataRequest, handleError } from "errata/react-router";

export default createHandleRequest({ ServerRouter, renderToReadableStream, isbot });`,
      },
      {
        file: "app/root.tsx",
        code: `import { errataMiddleware } from "errata/react-router";

export const middleware = [errataMiddleware];`,
      },
      {
        file: "app/entry.client.tsx",
        code: `import { onError, onRecoverableError, startErrata } from "errata/react-router/client";

startErrata({ to: "${to}" });

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter onError={onError} />
    </StrictMode>,
    { onRecoverableError },
  );
});`,
      },
    ],
  },
  {
    id: "tanstack",
    name: "TanStack Start",
    description: "Loaders, server functions, server routes and components. No message leaks.",
    files: (to) => [
      {
        file: "src/start.ts",
        code: `import { createCsrfMiddleware, createMiddleware, createStart } from "@tanstack/react-start";
import { createErrorAdapter, reportFunction } from "errata/tanstack";

const csrf = createCsrfMiddleware({ filter: ({ handlerType }) => handlerType === "serverFn" });

export const startInstance = createStart(() => ({
  requestMiddleware: [csrf],
  functionMiddleware: [createMiddleware({ type: "function" }).server(reportFunction)],
  serializationAdapters: [createErrorAdapter()],
}));`,
      },
      {
        file: "src/server.ts",
        code: `import * as router from "@tanstack/react-router/ssr/server";
import * as start from "@tanstack/react-start/server";
import { createServerEntry } from "@tanstack/react-start/server-entry";
import { createFetch } from "errata/tanstack/server";
import * as dom from "react-dom/server";

export default createServerEntry({ fetch: createFetch({ dom, router, start }) });`,
      },
      {
        file: "src/router.tsx",
        code: `import { withErrata } from "errata/tanstack";

// … and where you create the router:
return withErrata(router, { to: "${to}" });`,
      },
    ],
  },
  {
    id: "sveltekit",
    name: "SvelteKit",
    description: "Load functions, components, actions, endpoints, hooks and streamed promises.",
    files: (to) => [
      {
        file: "src/hooks.server.ts",
        code: 'export { handle, handleError } from "errata/sveltekit";',
      },
      {
        file: "src/hooks.client.ts",
        code: `import { createHandleError } from "errata/sveltekit/client";

export const handleError = createHandleError({ to: "${to}" });`,
      },
    ],
  },
  {
    id: "astro",
    name: "Astro",
    description: "Pages, endpoints, server islands and streams that break.",
    files: (to) => [
      {
        file: "astro.config.mjs",
        code: `import { errata } from "errata/astro";

export default defineConfig({
  output: "server",
  integrations: [errata({ browser: { to: "${to}" } })],
});`,
      },
    ],
  },
  {
    id: "nuxt",
    name: "Nuxt",
    description: "Pages, the API of the server, and data that pages load.",
    files: (to) => [
      {
        file: "nuxt.config.ts",
        code: `export default defineNuxtConfig({
  modules: [["errata/nuxt", { browser: { to: "${to}" } }]],
});`,
      },
    ],
  },
  {
    id: "hono",
    name: "Hono",
    description: "Handlers, middleware and renders, on every runtime.",
    files: () => [
      {
        file: "app.ts",
        code: `import { errata } from "errata/hono";
import { Hono } from "hono";

export const app = errata(new Hono());`,
      },
    ],
  },
  {
    id: "express",
    name: "Express",
    description: "Handlers, middleware, and errors that end the process.",
    files: () => [
      {
        file: "app.js",
        code: `import { errata, handleErrors } from "errata/express";
import express from "express";

const app = express();
app.use(errata()); // before everything else

app.use(handleErrors()); // after all routes`,
      },
    ],
  },
  {
    id: "fastify",
    name: "Fastify",
    description: "Handlers, hooks, and errors that end the process.",
    files: () => [
      {
        file: "server.ts",
        code: `import { errata } from "errata/fastify";
import Fastify from "fastify";

const app = Fastify({ logger: true });
await app.register(errata);`,
      },
    ],
  },
  {
    id: "workers",
    name: "Workers",
    description: "Handlers, Durable Objects, alarms, queues and Workflows of Cloudflare Workers.",
    files: () => [
      {
        file: "index.ts",
        code: `import { withErrata, wrapDurableObject, wrapWorkflow } from "errata/workers";

wrapDurableObject(Cart);
wrapWorkflow(Order);

export default withErrata({}, { fetch, scheduled, queue });`,
      },
      { file: "wrangler.toml", code: 'compatibility_flags = ["nodejs_compat"]' },
    ],
  },
];
