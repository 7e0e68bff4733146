/**
 * `/opensearch.xml`: how the address bar of a browser looks codes up (OpenSearch 1.1). Public,
 * because browsers fetch it without cookies: it has no name of a project, and is the same whether
 * the project exists or not.
 */
import { FIRST_PROJECT_ID, getProjectBasePath } from "../../../core/accounts/project-path.ts";
import type { AppContext } from "../../context.ts";

/** The description of the lookup of the project in the URL. */
export function serveOpenSearch(c: AppContext): Response {
  const project = c.req.param("project") ?? FIRST_PROJECT_ID;
  if (!/^[1-9]\d{0,8}$/.test(project)) return c.notFound() as Response;
  const isFirst = project === FIRST_PROJECT_ID;
  const lookup = `${new URL(c.req.url).origin}${isFirst ? "" : getProjectBasePath(project)}/lookup`;
  // Browsers show the short name, which has at most 16 characters.
  const name = isFirst ? "Errata" : `Errata ${project}`;
  const template = escapeXml(`${lookup}?q={searchTerms}`);
  return c.body(
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">' +
      `<ShortName>${name}</ShortName>` +
      "<Description>Find the error behind a code</Description>" +
      `<Url type="text/html" template="${template}"/>` +
      "<InputEncoding>UTF-8</InputEncoding>" +
      "</OpenSearchDescription>\n",
    200,
    { "Content-Type": "application/opensearchdescription+xml; charset=utf-8" },
  );
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
