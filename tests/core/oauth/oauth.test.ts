// The pure parts of OAuth: metadata, addresses, scopes and user codes.

import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listScopes, parseScopes } from "#src/core/accounts/token-scopes.ts";
import { readParameter, toRedirectUrl } from "#src/core/oauth/authorization-request.ts";
import {
  decodeClientMetadata,
  isRegisteredRedirect,
  parseClientId,
} from "#src/core/oauth/client-metadata.ts";
import { findMcpResource, parseResource, toResourceUri } from "#src/core/oauth/resources.ts";
import {
  createResourceMetadata,
  createServerMetadata,
  toResourceMetadataUrl,
} from "#src/core/oauth/server-metadata.ts";
import { createUserCode, parseUserCode } from "#src/core/oauth/user-code.ts";

const ORIGIN = "https://errata.example";

describe("the metadata", () => {
  // RFC 8414 § 2, RFC 9207 § 3, RFC 8628 § 4, and the draft of Client ID Metadata Documents.
  it("of the server has what the RFCs require, and only what works", () => {
    expect(createServerMetadata(ORIGIN)).toEqual({
      issuer: ORIGIN,
      authorization_endpoint: `${ORIGIN}/oauth/authorize`,
      token_endpoint: `${ORIGIN}/oauth/token`,
      revocation_endpoint: `${ORIGIN}/oauth/revoke`,
      device_authorization_endpoint: `${ORIGIN}/oauth/device`,
      scopes_supported: ["read", "triage", "upload", "admin"],
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: [
        "authorization_code",
        "refresh_token",
        "urn:ietf:params:oauth:grant-type:device_code",
      ],
      token_endpoint_auth_methods_supported: ["none"],
      revocation_endpoint_auth_methods_supported: ["none"],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      service_documentation: `${ORIGIN}/docs/access-and-roles`,
    });
  });

  // RFC 9728 § 2, § 3.1.
  it.each([
    ["/mcp", "1", ["read", "triage"]],
    ["/p/2/mcp", "2", ["read", "triage"]],
  ])("of %s names its resource, at the path that the RFC derives", (path, project, scopes) => {
    const resource = { kind: "mcp", project } as const;
    expect(createResourceMetadata(resource, ORIGIN)).toMatchObject({
      resource: ORIGIN + path,
      authorization_servers: [ORIGIN],
      scopes_supported: scopes,
      bearer_methods_supported: ["header"],
    });
    const url = `${ORIGIN}/.well-known/oauth-protected-resource${path}`;
    expect(toResourceMetadataUrl(resource, ORIGIN)).toBe(url);
  });

  it("of all of Errata is at the root", () => {
    const url = `${ORIGIN}/.well-known/oauth-protected-resource`;
    expect(toResourceMetadataUrl({ kind: "all" }, ORIGIN)).toBe(url);
    expect(createResourceMetadata({ kind: "all" }, ORIGIN).resource).toBe(ORIGIN);
  });
});

describe("a resource", () => {
  it.each([
    [undefined, { kind: "all" }],
    [ORIGIN, { kind: "all" }],
    [`${ORIGIN}/`, { kind: "all" }],
    [`${ORIGIN}/mcp`, { kind: "mcp", project: "1" }],
    [`${ORIGIN}/mcp/`, { kind: "mcp", project: "1" }],
    [`${ORIGIN}/p/2/mcp`, { kind: "mcp", project: "2" }],
    [`${ORIGIN}/p/0/mcp`, null],
    [`${ORIGIN}/p/2/../../mcp`, null],
    [`${ORIGIN}/mcp?x`, null],
    [`${ORIGIN}/mcp#x`, null],
    [`${ORIGIN}/settings`, null],
    [`${ORIGIN}.evil.example/mcp`, null],
    ["https://ada@errata.example/mcp", null],
    ["http://errata.example/mcp", null],
    ["https://errata.example:444/mcp", null],
    ["mcp", null],
  ])("%s is %j", (uri, resource) => {
    expect(parseResource(uri, ORIGIN)).toEqual(resource);
  });

  it("is the same after it was written", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999 }), (id) => {
        const resource = { kind: "mcp", project: String(id) } as const;
        expect(parseResource(toResourceUri(resource, ORIGIN), ORIGIN)).toEqual(resource);
      }),
    );
  });

  it("is no other path", () => {
    for (const path of ["/", "/mcp/x", "/mcps", "/p/2", "/p/x/mcp", "/p/02/mcp", "//mcp"])
      expect(findMcpResource(path), path).toBeUndefined();
  });
});

describe("a redirect URI", () => {
  const registered = [
    "https://agent.example/callback?x=1",
    "http://127.0.0.1/callback",
    "http://[::1]:1/callback",
    "http://localhost/callback",
    "com.example.agent:/callback",
    "javascript:alert(1)",
    "http://agent.example/plain",
  ];
  it.each([
    "https://agent.example/callback?x=1",
    "http://127.0.0.1/callback",
    "http://127.0.0.1:51004/callback",
    "http://[::1]:51004/callback",
    "http://localhost:3000/callback",
    "com.example.agent:/callback",
  ])("%s is one of the program", (uri) => {
    expect(isRegisteredRedirect(uri, registered)).toBe(true);
  });

  it.each([
    "https://agent.example/callback",
    "https://agent.example/callback?x=1&y=2",
    "https://agent.example:444/callback?x=1",
    "https://AGENT.example/callback?x=1",
    "http://127.0.0.1:51004/callback/",
    "http://127.0.0.1:51004/callback?x",
    "http://127.0.0.1:51004/callback#x",
    "http://127.0.0.1:99999999/callback",
    "http://127.0.0.1:51004\\@evil.example/callback",
    "http://127.0.0.1:80@evil.example/callback",
    "http://localhost.evil.example/callback",
    "http://127.1/callback",
    "https://127.0.0.1:51004/callback",
    "http://agent.example/plain",
    "javascript:alert(1)",
    "data:text/html,x",
    "",
  ])("%s is none", (uri) => {
    expect(isRegisteredRedirect(uri, registered)).toBe(false);
  });

  it("never matches with anything more", () => {
    fc.assert(
      fc.property(fc.webUrl(), fc.string({ minLength: 1 }), (uri, more) => {
        expect(isRegisteredRedirect(uri + more, [uri])).toBe(false);
      }),
    );
  });

  it("keeps its query, and gets the answer and the issuer", () => {
    const request = { redirectUri: "https://agent.example/callback?x=1", state: "a&b" };
    expect(toRedirectUrl(request, { code: "c" }, ORIGIN)).toBe(
      "https://agent.example/callback?x=1&code=c&state=a%26b&iss=https%3A%2F%2Ferrata.example",
    );
  });
});

describe("a program", () => {
  const id = "https://agent.example/client.json";

  it("has its host as its name if it has none that can be shown", () => {
    const names = [
      undefined,
      "",
      " ",
      "a\u0000b",
      "\u202e",
      "e\u0301\u0301\u0301\u0301\u0301\u0301",
    ];
    for (const name of names) {
      const json = { client_id: id, client_name: name, redirect_uris: ["https://agent.example/"] };
      expect(decodeClientMetadata(json, id)).toMatchObject({ value: { name: "agent.example" } });
    }
  });

  it("has a name of at most sixty characters", () => {
    const json = { client_id: id, client_name: "x".repeat(200), redirect_uris: ["https://a.b/"] };
    const decoded = decodeClientMetadata(json, id);
    expect(decoded.ok && decoded.value.name).toHaveLength(60);
  });

  it("never makes the decoder throw, whatever its document is", () => {
    fc.assert(
      fc.property(fc.anything(), (json) => {
        expect(decodeClientMetadata(json, id).ok).toBe(false);
      }),
    );
  });

  it("has a client_id that is written as URLs are", () => {
    expect(parseClientId(id)).not.toBeNull();
    for (const other of [
      "https://agent.example",
      "https://agent.example/",
      "https://agent.example/./client.json",
      "https://AGENT.example/client.json",
      `${id}#`,
      `https://agent.example/${"x".repeat(500)}`,
    ])
      expect(parseClientId(other), other).toBeNull();
  });
});

it.each([
  [undefined, "read"],
  ["read", "read"],
  ["read triage", "read triage"],
  ["triage  read", "read triage"],
  ["triage", "read triage"],
  // A program that may upload may read.
  ["upload", "read upload"],
  ["read upload", "read upload"],
  ["triage upload", "read triage upload"],
  ["admin", "read triage upload admin"],
  ["read write", null],
])("the scopes %j allow %j and nothing else", (asked, allowed) => {
  const access = parseScopes(asked);
  expect(access && listScopes(access.role, access.mayUpload).join(" ")).toBe(allowed);
});

it("a parameter that is sent twice is none, and an empty one is missing", () => {
  const query = new URLSearchParams("a=1&b=1&b=2&c=");
  expect(["a", "b", "c", "d"].map((name) => readParameter(query, name))).toEqual([
    "1",
    null,
    undefined,
    undefined,
  ]);
});

describe("a user code", () => {
  it("has eight consonants, of which none is more frequent than the others", () => {
    const counts = new Map<string, number>();
    for (let byte = 0; byte < 256; byte++) {
      const code = createUserCode(Buffer.from([byte, ...Array.from({ length: 8 }, () => 0)]));
      if (code === undefined) continue;
      expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
      if (byte < 240) counts.set(code.charAt(0), (counts.get(code.charAt(0)) ?? 0) + 1);
    }
    expect([...counts.values()]).toEqual(Array.from({ length: 20 }, () => 12));
    expect(createUserCode(Buffer.from([255, 254, 1]))).toBeUndefined();
  });

  it("is read as people type it, and nothing else is", () => {
    for (const typed of ["WDJB-MJHT", "wdjbmjht", " wdjb mjht ", "WDJB–MJHT", "wdjb.mjht"])
      expect(parseUserCode(typed), typed).toBe("WDJB-MJHT");
    for (const typed of ["", "WDJB-MJH", "WDJB-MJHTX", "WDJA-MJHT", "WDJ0-MJHT", 7, null])
      expect(parseUserCode(typed)).toBeUndefined();
    fc.assert(fc.property(fc.string(), (text) => void parseUserCode(text)));
  });
});
