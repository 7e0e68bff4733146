/** An Errata that is an authorization server, and a program that goes through its flows. */
import { createHash } from "node:crypto";
import { createClientReader } from "#src/auth/client-reader.ts";
import {
  createMembers,
  ORIGIN,
  OWN_PAGE,
  type Proof,
  type TestMembers,
} from "#support/accounts/members.ts";
import { testConfig, type Visit, type VisitOptions, visit } from "#support/http/visit.ts";

/** The program of the tests, and where its answers go. */
export const CLIENT_ID = "https://agent.example/oauth/client.json";
export const REDIRECT_URI = "https://agent.example/callback";
export const LOOPBACK_URI = "http://127.0.0.1:8123/callback";
export const VERIFIER = "verifier-of-the-test-".repeat(3);
export const CHALLENGE = toChallenge(VERIFIER);

export function toChallenge(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

/** The metadata of the program. */
export const METADATA = {
  client_id: CLIENT_ID,
  client_name: "Agent",
  redirect_uris: [REDIRECT_URI, "http://127.0.0.1/callback", "http://localhost/callback"],
  token_endpoint_auth_method: "none",
};

type Parameters = Readonly<Record<string, string | undefined>>;

/** The parameters of a request that is allowed. */
export const REQUEST: Parameters = {
  response_type: "code",
  client_id: CLIENT_ID,
  redirect_uri: REDIRECT_URI,
  code_challenge: CHALLENGE,
  code_challenge_method: "S256",
  scope: "read triage",
  state: "the state",
  resource: `${ORIGIN}/mcp`,
};

/** What the person chooses. */
export const CONSENT: Parameters = {
  decision: "allow",
  role: "member",
  lowestTrust: "server",
  days: "90",
};

/** The tokens of a response, or its error. */
export interface TokenBody {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
  readonly token_type: string;
  readonly scope: string;
  readonly error?: string;
}

function toQuery(parameters: Parameters): URLSearchParams {
  const sent = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return new URLSearchParams(sent as [string, string][]);
}

/** Answers for the address of the metadata. */
export type ServeMetadata = (url: URL, init: RequestInit) => Promise<Response>;

export class TestOAuth {
  readonly members: TestMembers;
  /** What the server of the program answers. */
  serveMetadata: ServeMetadata = async () => Response.json(METADATA);
  #options: VisitOptions;

  constructor(members: TestMembers) {
    this.members = members;
    this.#options = {
      origin: ORIGIN,
      redirect: "manual",
      services: {
        ...members.services,
        config: { ...testConfig, isLocalOpen: false },
        readClient: createClientReader({
          fetch: (url, init) => this.serveMetadata(url, init),
          allowedTargets: [],
        }),
      },
    };
  }

  send(path: string, init: RequestInit & Pick<VisitOptions, "services"> = {}): Promise<Visit> {
    const services = { ...this.#options.services, ...init.services };
    return visit(path, { ...this.#options, ...init, services });
  }

  /** Opens the page of consent. */
  open(proof: Proof, parameters: Parameters = {}): Promise<Visit> {
    const query = toQuery({ ...REQUEST, ...parameters });
    return this.send(`/oauth/authorize?${query}`, { headers: { ...proof, accept: "text/html" } });
  }

  /** Sends a form of Errata's pages. */
  submit(path: string, proof: Proof, fields: Parameters, headers: Proof = OWN_PAGE) {
    return this.send(path, {
      method: "POST",
      headers: { ...proof, ...headers, accept: "text/html" },
      body: toQuery(fields),
    });
  }

  /** Allows a request, as a browser does. Resolves to the address to which it returns. */
  async allow(
    proof: Proof,
    parameters: Parameters = {},
    consent: Parameters = {},
  ): Promise<URLSearchParams> {
    const page = await this.open(proof, parameters);
    if (page.response.status !== 200) throw new Error(`${page.response.status}: ${page.body}`);
    const request = readField(page.body, "request");
    const fields = { ...CONSENT, ...consent, request };
    const { response, body } = await this.submit("/oauth/authorize", proof, fields);
    const [, url] = /^0; url=(.*)$/.exec(response.headers.get("refresh") ?? "") ?? [];
    if (url === undefined) throw new Error(`${response.status}: ${body}`);
    return new URL(url).searchParams;
  }

  /** A request to the token endpoint. */
  async token(fields: Parameters): Promise<{ readonly status: number; readonly body: TokenBody }> {
    const { response, body } = await this.post("/oauth/token", fields);
    return { status: response.status, body: JSON.parse(body) };
  }

  post(path: string, fields: Parameters, headers: Proof = {}): Promise<Visit> {
    return this.send(path, { method: "POST", headers, body: toQuery(fields) });
  }

  exchange(code: string | null, fields: Parameters = {}) {
    return this.token({
      grant_type: "authorization_code",
      client_id: CLIENT_ID,
      code: code ?? "",
      redirect_uri: REDIRECT_URI,
      code_verifier: VERIFIER,
      resource: `${ORIGIN}/mcp`,
      ...fields,
    });
  }

  refresh(token: string, fields: Parameters = {}) {
    const known = { grant_type: "refresh_token", client_id: CLIENT_ID, refresh_token: token };
    return this.token({ ...known, ...fields });
  }

  /** The whole flow. */
  async connect(proof: Proof, parameters: Parameters = {}, consent: Parameters = {}) {
    const { resource = `${ORIGIN}/mcp` } = parameters;
    const answer = await this.allow(proof, parameters, consent);
    const { body } = await this.exchange(answer.get("code"), { resource });
    if (body.error !== undefined) throw new Error(body.error);
    return body;
  }

  /** The status of a request of MCP with a token. */
  async callMcp(token: string, path = "/mcp"): Promise<number> {
    const message = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = JSON.stringify(message);
    return (await this.send(path, { method: "POST", headers, body })).response.status;
  }

  /** The identity of a token in the API, or the status of the failure. */
  async whoami(token: string, base = ""): Promise<unknown> {
    const headers = { authorization: `Bearer ${token}` };
    const { response, body } = await this.send(`${base}/api/v1/whoami`, { headers });
    return response.ok ? JSON.parse(body) : response.status;
  }
}

/** An authorization server with the deployer, who owns the first project. */
export async function createOAuth(): Promise<TestOAuth> {
  return new TestOAuth(await createMembers());
}

/** The value of a hidden field in a page. */
export function readField(html: string, name: string): string {
  const [, value = ""] = new RegExp(`name="${name}" value="([^"]*)"`).exec(html) ?? [];
  return value;
}
