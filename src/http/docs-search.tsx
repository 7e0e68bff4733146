/** `/docs/search?q=…`: the search of the documentation for browsers without scripts. Public. */
import { type DocsIndex, MAX_DOCS_QUERY_CHARS, searchDocs } from "../core/docs/search-docs.ts";
import { DocsSearchPage } from "../ui/docs/docs-search-page.tsx";
import { Layout } from "../ui/layout/layout.tsx";
import type { AppContext } from "./context.ts";
import { sendPage } from "./send-page.tsx";

const INDEX_PATH = "/docs/search.json";

/** The page with the matches; with a sentence while the index cannot be read. */
export async function serveDocsSearch(c: AppContext): Promise<Response> {
  const query = (c.req.query("q") ?? "").trim().slice(0, MAX_DOCS_QUERY_CHARS);
  const { readFile } = c.get("services");
  const index = query === "" ? null : await (await readFile(INDEX_PATH))?.json<DocsIndex>();
  return sendPage(c, {
    title: "Search the documentation",
    route: "/docs/search",
    content: (
      <Layout isSignedIn={false}>
        <DocsSearchPage query={query} matches={index ? searchDocs(index, query) : null} />
      </Layout>
    ),
  });
}
