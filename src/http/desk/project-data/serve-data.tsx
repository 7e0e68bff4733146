/** `/settings/data`: the forms that export, import, erase and rebuild, for owners. */
import { Layout } from "../../../ui/layout/layout.tsx";
import { DataPage } from "../../../ui/settings/data/data-page.tsx";
import type { AppContext } from "../../context.ts";
import { sendPageWithFlash } from "../../forms/flash-cookie.ts";

export function serveDataPage(c: AppContext): Promise<Response> {
  return sendPageWithFlash(c, (flash) => ({
    title: "Data",
    route: "/settings/data",
    content: (
      <Layout current="settings" isSignedIn flash={flash}>
        <DataPage />
      </Layout>
    ),
  }));
}
