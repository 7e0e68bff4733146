// The requests of a person or a program to a running store.

/** The headers that identify a visitor, such as the cookie of a session. None: a stranger. */
export type Credentials = Readonly<Record<string, string>>;

export type Visitor = ReturnType<typeof createVisitor>;

/** The flash cookie: a kind, a count, and the id that undoes the action. */
const UNDO_ID = /errata-flash=[a-z-]+\.\d+\.([0-9a-f]{32})\./;

/** The requests to `url` with these credentials. All reject if a response is a failure. */
export function createVisitor(url: string, credentials: Credentials = {}) {
  /** Those of a change that a page of Errata sends. */
  const ownPage: Credentials =
    credentials.cookie === undefined ? {} : { origin: url, "sec-fetch-site": "same-origin" };
  async function request(path: string, init: RequestInit & { headers?: Credentials } = {}) {
    const origin = init.method === undefined ? {} : ownPage;
    const headers = { accept: "application/json", ...origin, ...credentials, ...init.headers };
    const response = await fetch(url + path, { redirect: "manual", ...init, headers });
    if (response.status < 400) return response;
    const { method = "GET", body } = init;
    const sent = typeof body === "string" ? body.slice(0, 200) : "";
    throw new Error(`${method} ${path} ${sent}: ${response.status} ${await response.text()}`);
  }
  return {
    credentials,
    request,
    async get(path: string) {
      return (await request(path)).json();
    },
    /** Sends a change as a script of a page does: as JSON. */
    async change(path: string, fields: object) {
      const headers = { "content-type": "application/json" };
      return (
        await request(path, { method: "POST", headers, body: JSON.stringify(fields) })
      ).json();
    },
    /** Submits a form as a page of Errata does. Resolves to the id that undoes it, if any. */
    async submit(path: string, fields: Readonly<Record<string, string>>) {
      const headers = { accept: "text/html" };
      const body = new URLSearchParams(fields);
      const response = await request(path, { method: "POST", headers, body });
      return UNDO_ID.exec(response.headers.get("set-cookie") ?? "")?.[1];
    },
  };
}
