/** The pages of Errata, for the tests that look at every one of them: by the route of the router. */

/** A path of each route that answers with a page. `:digest` stands where that of an issue belongs. */
export const PAGES: Readonly<Record<string, string>> = {
  "/": "/",
  "/lookup": "/lookup?q=who+knows",
  "/issues": "/issues",
  "/d/:digest": "/d/:digest",
  "/e/:digest": "/e/:digest",
  "/releases": "/releases",
  "/releases/:name{.+}": "/releases/1.4.0",
  "/csp": "/csp?policy=img-src",
  "/live": "/live",
  "/connect": "/connect",
  "/status": "/status",
  "/sign-in": "/sign-in",
  "/profile": "/profile",
  "/projects": "/projects",
  "/settings": "/settings",
  "/settings/audit": "/settings/audit",
  "/self-test": "/self-test",
  "/self-test/:kind": "/self-test/after-flush",
};

/** The client's script that a route loads. */
export function scriptOf(route: string): string {
  return `src/client/${route === "/self-test/:kind" ? "self-test-entry" : "page"}.ts`;
}

/** Routes that are asked by GET and answer with something else: files, a socket, an address that moved. */
export const NO_PAGES: readonly string[] = [
  "/d/:digest/files/:n",
  "/export",
  "/live/socket",
  "/noise",
];
