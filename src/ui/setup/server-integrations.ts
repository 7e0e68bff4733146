/**
 * Integrations for server frameworks. They send errors with the digest that the visitor sees, if
 * any.
 */
import { createBrowserModule } from "./browser-snippets.ts";
import { type IngestAddress, type Integration, type Snippet, toServerUrl } from "./integration.ts";

/** Next.js, React Router, TanStack Start and Hono. */
export function listServerIntegrations(address: IngestAddress): readonly Integration[] {
  const variable = createUrlVariable(address);
  const browser = createBrowserModule(address);
  const endpoint = { name: "URL", value: toServerUrl(address.origin) } as const;
  return [
    {
      id: "next",
      name: "Next.js",
      description: "Server errors with the digest on the visitor’s screen, and browser errors.",
      snippets: [
        variable,
        { file: "instrumentation.ts", code: createNextSnippet() },
        { file: "errata.ts", code: browser },
        { file: "instrumentation-client.ts", code: 'import "./errata";' },
        { file: "app/error.tsx", code: NEXT_ERROR_PAGE },
      ],
      endpoint,
      keyKind: "server",
    },
    {
      id: "react-router",
      name: "React Router",
      description: "Server errors from loaders, actions and rendering, and browser errors.",
      snippets: [
        variable,
        { file: "app/entry.server.tsx", code: createReactRouterSnippet() },
        { file: "app/errata.ts", code: browser },
        { file: "app/entry.client.tsx", code: REACT_ROUTER_CLIENT },
      ],
      endpoint,
      keyKind: "server",
      note: "Create the two entry files with: npx react-router reveal",
    },
    {
      id: "tanstack",
      name: "TanStack Start",
      description: "Errors from server functions and server routes, and browser errors.",
      snippets: [
        variable,
        { file: "src/start.ts", code: createTanStackSnippet() },
        { file: "src/errata.ts", code: browser },
        { file: "src/router.tsx", code: TANSTACK_ROUTER },
      ],
      endpoint,
      keyKind: "server",
    },
    {
      id: "hono",
      name: "Hono",
      description: "Errors from handlers.",
      snippets: [variable, { file: "app.ts", code: createHonoSnippet() }],
      endpoint,
      keyKind: "server",
    },
  ];
}

/** The code reads the URL from a variable, because a server key does not belong in a repository. */
function createUrlVariable({ origin }: IngestAddress): Snippet {
  return { file: "environment variables", code: `ERRATA_URL="${toServerUrl(origin)}"` };
}

function createNextSnippet(): string {
  return `import type { Instrumentation } from "next";

const ERRATA_URL = process.env.ERRATA_URL ?? "";

export const onRequestError: Instrumentation.onRequestError = async (error, request, context) => {
  const { name, message, stack, digest } = error as Error & { digest?: string };
  const debugIds: unknown = Reflect.get(globalThis, "_debugIds");
  const body = JSON.stringify({ error: { name, message, stack, digest }, request, context, debugIds });
  const signal = AbortSignal.timeout(2_000);
  await fetch(ERRATA_URL, { method: "POST", body, signal }).catch(() => undefined);
};`;
}

const NEXT_ERROR_PAGE = `"use client";
import { useEffect } from "react";
import { report } from "../errata";

export default function Failed({ error }: { error: Error & { digest?: string } }) {
  useEffect(() => report("caught", error), [error]);
  return <p>Something went wrong. {error.digest && <>Digest: {error.digest}</>}</p>;
}`;

function createReactRouterSnippet(): string {
  return `import type { HandleErrorFunction } from "react-router";

const ERRATA_URL = process.env.ERRATA_URL ?? "";

export const handleError: HandleErrorFunction = (error, { request }) => {
  if (request.signal.aborted) return;
  console.error(error);
  const { name, message = String(error), stack } = error as Error;
  const { pathname: path, search } = new URL(request.url);
  const headers = Object.fromEntries(request.headers);
  const body = JSON.stringify({
    error: { name, message, stack },
    request: { path: path + search, method: request.method, headers },
  });
  const signal = AbortSignal.timeout(2_000);
  fetch(ERRATA_URL, { method: "POST", body, signal }).catch(() => undefined);
};`;
}

const REACT_ROUTER_CLIENT = `import { report } from "./errata";

// … and where you hydrate:
<HydratedRouter onError={(error) => report("caught", error)} />`;

function createTanStackSnippet(): string {
  return `import { createMiddleware, createStart } from "@tanstack/react-start";

const ERRATA_URL = process.env.ERRATA_URL ?? "";

async function report(error: unknown, about?: Request) {
  const { name, message = String(error), stack } = error as Error;
  const request = about && { path: new URL(about.url).pathname, method: about.method };
  const body = JSON.stringify({ error: { name, message, stack }, request: request ?? {} });
  const signal = AbortSignal.timeout(2_000);
  await fetch(ERRATA_URL, { method: "POST", body, signal }).catch(() => undefined);
}

const requests = createMiddleware().server(async ({ next, request }) => {
  try {
    return await next();
  } catch (error) {
    if (error instanceof Error) await report(error, request);
    throw error;
  }
});

const functions = createMiddleware({ type: "function" }).server(async ({ next }) => {
  try {
    return await next();
  } catch (error) {
    if (error instanceof Error) await report(error);
    throw error;
  }
});

export const startInstance = createStart(() => ({
  requestMiddleware: [requests],
  functionMiddleware: [functions],
}));`;
}

const TANSTACK_ROUTER = `import { report } from "./errata";

// … and in the options of the router:
createRouter({ routeTree, defaultOnCatch: (error) => report("caught", error) });`;

function createHonoSnippet(): string {
  return `import { HTTPException } from "hono/http-exception";

const ERRATA_URL = process.env.ERRATA_URL ?? "";

app.onError(async (error, c) => {
  if (error instanceof HTTPException) return error.getResponse();
  const { name, message, stack } = error;
  const request = { path: c.req.path, method: c.req.method, headers: c.req.header() };
  const body = JSON.stringify({ error: { name, message, stack }, request });
  const signal = AbortSignal.timeout(2_000);
  await fetch(ERRATA_URL, { method: "POST", body, signal }).catch(() => undefined);
  return c.text("Internal Server Error", 500);
});`;
}
