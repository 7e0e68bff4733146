/** Frameworks that render on a server: what fails there is posted, with the digest that the visitor is shown where there is one. */
import { createBrowserModule } from "./browser-snippets.ts";
import { type IngestAddress, type Integration, toKeyedUrl } from "./integration.ts";

/** Next.js, React Router, TanStack Start and Hono. */
export function listServerIntegrations(address: IngestAddress): readonly Integration[] {
  const url = toKeyedUrl(address);
  const browser = createBrowserModule(address);
  return [
    {
      id: "next",
      name: "Next.js",
      description:
        "The server’s errors with their digests, so that the code on a visitor’s screen leads here; and what fails in browsers.",
      snippets: [
        { file: "instrumentation.ts", code: createNextSnippet(url) },
        { file: "errata.ts", code: browser },
        { file: "instrumentation-client.ts", code: 'import "./errata";' },
        { file: "app/error.tsx", code: NEXT_ERROR_PAGE },
      ],
    },
    {
      id: "react-router",
      name: "React Router",
      description:
        "What loaders, actions and renders throw on the server, and what fails in browsers.",
      snippets: [
        { file: "app/entry.server.tsx", code: createReactRouterSnippet(url) },
        { file: "app/errata.ts", code: browser },
        { file: "app/entry.client.tsx", code: REACT_ROUTER_CLIENT },
      ],
      note: "The two entries are revealed by: npx react-router reveal",
    },
    {
      id: "tanstack",
      name: "TanStack Start",
      description: "What server functions and server routes throw, and what fails in browsers.",
      snippets: [
        { file: "src/start.ts", code: createTanStackSnippet(url) },
        { file: "src/errata.ts", code: browser },
        { file: "src/router.tsx", code: TANSTACK_ROUTER },
      ],
    },
    {
      id: "hono",
      name: "Hono",
      description: "What handlers throw.",
      snippets: [{ file: "app.ts", code: createHonoSnippet(url) }],
    },
  ];
}

function createNextSnippet(url: string): string {
  return `import type { Instrumentation } from "next";

const ERRATA = "${url}";

export const onRequestError: Instrumentation.onRequestError = async (error, request, context) => {
  const { name, message, stack, digest } = error as Error & { digest?: string };
  const body = JSON.stringify({ error: { name, message, stack, digest }, request, context });
  const signal = AbortSignal.timeout(2_000);
  await fetch(ERRATA, { method: "POST", body, signal }).catch(() => undefined);
};`;
}

const NEXT_ERROR_PAGE = `"use client";
import { useEffect } from "react";
import { tell } from "../errata";

export default function Failed({ error }: { error: Error & { digest?: string } }) {
  useEffect(() => tell("caught", error), [error]);
  return <p>Something went wrong. {error.digest && <>Digest: {error.digest}</>}</p>;
}`;

function createReactRouterSnippet(url: string): string {
  return `import type { HandleErrorFunction } from "react-router";

const ERRATA = "${url}";

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
  fetch(ERRATA, { method: "POST", body, signal }).catch(() => undefined);
};`;
}

const REACT_ROUTER_CLIENT = `import { tell } from "./errata";

// … and where the page is hydrated:
<HydratedRouter onError={(error) => tell("caught", error)} />`;

function createTanStackSnippet(url: string): string {
  return `import { createMiddleware, createStart } from "@tanstack/react-start";

const ERRATA = "${url}";

async function report(error: unknown, about?: Request) {
  const { name, message = String(error), stack } = error as Error;
  const request = about && { path: new URL(about.url).pathname, method: about.method };
  const body = JSON.stringify({ error: { name, message, stack }, request: request ?? {} });
  const signal = AbortSignal.timeout(2_000);
  await fetch(ERRATA, { method: "POST", body, signal }).catch(() => undefined);
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

const TANSTACK_ROUTER = `import { tell } from "./errata";

// … and among the router's options:
createRouter({ routeTree, defaultOnCatch: (error) => tell("caught", error) });`;

function createHonoSnippet(url: string): string {
  return `import { HTTPException } from "hono/http-exception";

const ERRATA = "${url}";

app.onError(async (error, c) => {
  if (error instanceof HTTPException) return error.getResponse();
  const { name, message, stack } = error;
  const request = { path: c.req.path, method: c.req.method, headers: c.req.header() };
  const body = JSON.stringify({ error: { name, message, stack }, request });
  const signal = AbortSignal.timeout(2_000);
  await fetch(ERRATA, { method: "POST", body, signal }).catch(() => undefined);
  return c.text("Internal Server Error", 500);
});`;
}
