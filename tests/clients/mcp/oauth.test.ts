// The official clients of the Model Context Protocol get a token by OAuth: they find the metadata
// of the built product, which reads theirs from a real server, and a person allows them as a
// browser does. Nothing is known to the clients but the address of MCP.

import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import {
  Client as ModernClient,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeLink } from "../../../.tools/deploy/sign-in-link.ts";
import { serve } from "../../../.tools/local/serve.ts";
import { signInByLink } from "../../support/accounts/sign-in-by-link.ts";
import { readNowMs } from "../../support/clock/clock.ts";
import { createCertificate } from "../../support/http/certificate.ts";

const REDIRECT_URI = "http://127.0.0.1:51004/callback";
const info = { name: "errata-tests", version: "1" };
const certificate = createCertificate(["localhost"], new Date(readNowMs()));
const link = makeLink(readNowMs());
let served: Awaited<ReturnType<typeof serve>>;
let metadataServer: Server;
let clientId: string;
let cookie: string;
/** The requests that Errata made for metadata. */
const reads: string[] = [];

beforeAll(async () => {
  metadataServer = createServer(certificate, (request, response) => {
    reads.push(`${request.method} ${request.url} ${request.headers.accept}`);
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        client_id: clientId,
        client_name: "Agent of the tests",
        redirect_uris: ["http://127.0.0.1/callback"],
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
      }),
    );
  });
  await new Promise<void>((resolve) => metadataServer.listen(0, "localhost", resolve));
  const { port } = metadataServer.address() as AddressInfo;
  clientId = `https://localhost:${port}/oauth/client.json`;
  served = await serve({
    trusted: [certificate.cert],
    vars: { ERRATA_SETUP: link.setup, ERRATA_ALERT_TARGETS: `localhost:${port}` },
  });
  cookie = await signInByLink(link.at(served.url));
});

afterAll(async () => {
  await served?.stop();
  metadataServer?.close();
});

/** What both clients keep, and where they send the browser. */
class Provider {
  readonly redirectUrl = REDIRECT_URI;
  readonly clientMetadata = { client_name: "Agent", redirect_uris: [REDIRECT_URI] };
  authorizationUrl: URL | undefined;
  #client: unknown;
  #tokens: unknown;
  #verifier = "";
  #discovery: unknown;

  get clientMetadataUrl(): string {
    return clientId;
  }

  state = () => "the state";
  clientInformation = () => this.#client;
  saveClientInformation = (client: unknown) => {
    this.#client = client;
  };
  tokens = () => this.#tokens;
  saveTokens = (tokens: unknown) => {
    this.#tokens = tokens;
  };
  codeVerifier = () => this.#verifier;
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier;
  };
  discoveryState = () => this.#discovery;
  saveDiscoveryState = (state: unknown) => {
    this.#discovery = state;
  };
  redirectToAuthorization = (url: URL) => {
    this.authorizationUrl = url;
  };
}

/** Allows the request in the browser. Returns the parameters of the answer. */
async function allow(url: URL | undefined): Promise<URLSearchParams> {
  const page = await fetch(url ?? "", { headers: { cookie, accept: "text/html" } });
  const html = await page.text();
  expect(page.status, html).toBe(200);
  expect(html).toContain("Agent of the tests");
  const [, request = ""] = /name="request" value="([^"]*)"/.exec(html) ?? [];
  const fields = { request, decision: "allow", role: "member", lowestTrust: "server", days: "7" };
  const response = await fetch(new URL("/oauth/authorize", served.url), {
    method: "POST",
    headers: { cookie, origin: served.url, "sec-fetch-site": "same-origin", accept: "text/html" },
    body: new URLSearchParams(fields),
  });
  const [, target = ""] = /^0; url=(.*)$/.exec(response.headers.get("refresh") ?? "") ?? [];
  expect(target).toMatch(new RegExp(`^${REDIRECT_URI}\\?`));
  return new URL(target).searchParams;
}

interface Connection {
  connect(): Promise<void>;
  finish(answer: URLSearchParams): Promise<void>;
  listTools(): Promise<readonly string[]>;
  close(): Promise<void>;
}

type OpenConnection = (url: URL, provider: Provider) => Connection;

const openModern: OpenConnection = (url, provider) => {
  const open = () => new StreamableHTTPClientTransport(url, { authProvider: provider as never });
  const client = new ModernClient(info, { versionNegotiation: { mode: "auto" } });
  return {
    connect: () => client.connect(open()),
    finish: (answer) => open().finishAuth(answer),
    listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
    close: () => client.close(),
  };
};

const openLegacy: OpenConnection = (url, provider) => {
  const open = () => new LegacyTransport(url, { authProvider: provider as never });
  const client = new LegacyClient(info);
  return {
    connect: () => client.connect(open()),
    finish: (answer) => open().finishAuth(answer.get("code") ?? ""),
    listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
    close: () => client.close(),
  };
};

describe.each<[string, OpenConnection]>([
  ["2.4.0", openModern],
  ["1.32.2", openLegacy],
])("the official client %s", (_, open) => {
  it("gets access with the address alone, and keeps it when its token has expired", async () => {
    const provider = new Provider();
    const url = new URL("/mcp", served.url);
    const first = open(url, provider);
    await expect(first.connect()).rejects.toThrow(/unauthorized/i);
    const { searchParams } = provider.authorizationUrl ?? new URL("about:blank");
    expect(Object.fromEntries(searchParams)).toMatchObject({
      client_id: clientId,
      code_challenge_method: "S256",
      resource: url.href,
      scope: "read triage",
    });
    await first.finish(await allow(provider.authorizationUrl));
    expect(reads.at(-1)).toBe("GET /oauth/client.json application/json");
    const second = open(url, provider);
    await second.connect();
    expect(await second.listTools()).toContain("decide_issue");
    await second.close();

    // The client gets a 401, refreshes, and repeats its request.
    const known = provider.tokens() as { readonly access_token: string };
    provider.saveTokens({ ...known, access_token: `${known.access_token.slice(0, -1)}_` });
    const third = open(url, provider);
    await third.connect();
    expect(await third.listTools()).toContain("decide_issue");
    const renewed = provider.tokens() as { readonly access_token: string };
    expect(renewed.access_token).not.toBe(known.access_token);
    await third.close();
  });
});
