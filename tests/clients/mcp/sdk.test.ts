// The official clients of the Model Context Protocol do what an agent does: look a code up, read the
// investigation, decide, and undo. They check results against the schemas of the tools.

import {
  Client as ModernClient,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { beforeAll, describe, expect, it } from "vitest";
import { openErrata } from "../errata.ts";

const errata = openErrata();
const info = { name: "errata-tests", version: "1" };
const CODE = "2338823894";

/** The members of structured content that the test reads. */
interface Content {
  readonly hits: readonly { readonly digest: string }[];
  readonly report: { readonly frames: readonly { readonly place: { readonly text: string } }[] };
  readonly change: string;
}

/** The part of both clients that the test uses. */
interface McpClient {
  listTools(): Promise<{ tools: readonly { name: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  listResources(): Promise<{ resources: readonly { uri: string }[] }>;
  readResource(of: { uri: string }): Promise<{ contents: readonly unknown[] }>;
  getPrompt(of: { name: string; arguments: Record<string, string> }): Promise<object>;
  close(): Promise<void>;
}

const CLIENTS: readonly (readonly [string, () => Promise<readonly [McpClient, unknown]>])[] = [
  [
    "2026-07-28",
    async () => {
      const client = new ModernClient(info, { versionNegotiation: { mode: "auto" } });
      await client.connect(new StreamableHTTPClientTransport(new URL(`${errata.url}/mcp`)));
      return [client as unknown as McpClient, client.getNegotiatedProtocolVersion()];
    },
  ],
  [
    "2025-11-25",
    async () => {
      const client = new LegacyClient(info);
      const transport = new LegacyTransport(new URL(`${errata.url}/mcp`));
      await client.connect(transport);
      return [client as unknown as McpClient, transport.protocolVersion];
    },
  ],
];

beforeAll(async () => {
  const { username } = new URL(errata.serverDsn);
  const stack = "TypeError: cart is undefined\n    at Cart (/srv/shop/app/cart/page.js:12:7)";
  await fetch(`${errata.url}/monitoring?sentry_key=${username}`, {
    method: "POST",
    body: JSON.stringify({
      error: { name: "TypeError", message: "cart is undefined", digest: CODE, stack },
      request: { path: "/cart", method: "GET", headers: {} },
      context: { routerKind: "App Router", routePath: "/cart", routeType: "render" },
    }),
  });
  await errata.find(CODE);
});

describe.each(CLIENTS)("the official client that speaks %s", (version, connect) => {
  it("looks up, investigates, decides and undoes", async () => {
    const [client, negotiated] = await connect();
    expect(negotiated).toBe(version);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("get_investigation");
    const call = async (name: string, input: Record<string, unknown>) => {
      const result = await client.callTool({ name, arguments: input });
      const { structuredContent, isError } = result as {
        readonly structuredContent: Content;
        readonly isError?: boolean;
      };
      expect(isError, JSON.stringify(result)).not.toBe(true);
      return structuredContent;
    };
    const { hits } = await call("lookup", { text: CODE });
    const digest = hits[0]?.digest ?? "";
    const { report } = await call("get_investigation", { digest });
    expect(report.frames[0]?.place.text).toBe("/srv/shop/app/cart/page.js:12");
    const { change } = await call("decide_issue", { digest, state: "resolved" });
    expect(await call("undo", { change })).toMatchObject({ digests: [digest] });
    const { resources } = await client.listResources();
    expect(resources).toMatchObject([{ uri: `errata://d/${digest}` }]);
    const { contents } = await client.readResource({ uri: `errata://d/${digest}` });
    expect(contents).toHaveLength(1);
    expect(await client.getPrompt({ name: "fix_issue", arguments: { digest } })).toMatchObject({
      messages: [{ role: "user" }],
    });
    await client.close();
  });
});
