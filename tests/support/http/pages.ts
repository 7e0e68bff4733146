/** Errata's pages by route, for the tests that visit each of them. */

/**
 * A path for each route that responds with a page. `:digest` is a placeholder for the digest of an
 * issue.
 */
export const PAGES: Readonly<Record<string, string>> = {
  "/": "/",
  "/lookup": "/lookup?q=who+knows",
  "/issues": "/issues",
  "/d/:digest": "/d/:digest",
  "/d/:digest/tracker": "/d/:digest/tracker",
  "/e/:digest": "/e/:digest",
  "/e/:digest/confirm": "/e/:digest/confirm",
  "/all-issues": "/all-issues",
  "/all-alerts": "/all-alerts",
  "/releases": "/releases",
  "/releases/:name{.+}": "/releases/1.4.0",
  "/csp": "/csp?policy=img-src",
  "/live": "/live",
  "/scope": "/scope",
  "/connect": "/connect",
  "/source-maps": "/source-maps",
  "/source-maps/:id": "/source-maps/unknown",
  "/status": "/status",
  "/docs/search": "/docs/search?q=backup",
  "/sign-in": "/sign-in",
  "/profile": "/profile",
  "/projects": "/projects",
  "/settings": "/settings",
  "/settings/audit": "/settings/audit",
  "/settings/data": "/settings/data",
  "/settings/trackers": "/settings/trackers",
  "/settings/repositories": "/settings/repositories",
  "/erase/:id": "/erase/none",
  "/settings/alerts": "/settings/alerts",
  "/alerts": "/alerts",
  "/alerts/preferences": "/alerts/preferences",
  "/alerts/act": "/alerts/act",
  "/alerts/confirm-email": "/alerts/confirm-email",
  "/self-test": "/self-test",
  "/self-test/:kind": "/self-test/after-flush",
};

/** The client script that a route loads. */
export function getEntryScript(route: string): string {
  return `src/client/${route === "/self-test/:kind" ? "self-test-entry" : "page"}.ts`;
}

/**
 * GET routes that respond with something else: files, a socket, a redirect, and pages of OAuth,
 * which an Errata without sign-in does not have.
 */
export const NON_PAGE_ROUTES: readonly string[] = [
  "/P/:project/R/:digest",
  "/R/:digest",
  "/d/:digest/files/:n",
  "/device",
  "/e/:digest/tell",
  "/export",
  "/feeds/:token",
  "/live/socket",
  "/noise",
  "/policies",
  "/oauth/authorize",
  "/opensearch.xml",
  "/settings/alerts/:form",
];
