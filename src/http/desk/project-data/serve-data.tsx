/** `/settings/data`: the forms that export, import, erase and rebuild, for owners. */

import { DeskLink } from "../../../ui/parts/desk-context.tsx";
import { DataForms } from "../../../ui/settings/data/data-page.tsx";
import { definePage } from "../../pages/settings-page.tsx";

export const dataPage = definePage({
  path: "/settings/data",
  role: "owner",
  title: "Data",
  note: () => (
    <>
      Erasing deletes data from all storage, and from Cloudflare’s caches within an hour. See{" "}
      <a href="/docs/erasure-and-privacy">erasure and privacy</a>. Each action is recorded in the{" "}
      <DeskLink href="/settings/audit">audit log</DeskLink>.
    </>
  ),
  load: () => ({}),
  view: DataForms,
});
