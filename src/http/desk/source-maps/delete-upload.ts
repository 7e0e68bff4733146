/** `POST /source-maps/<id>/delete`: deletes an upload. */
import { fail, ok } from "../../../core/result.ts";
import { SOURCE_MAPS_URL } from "../../../ui/urls/source-map-urls.ts";
import type { AppContext } from "../../context.ts";
import { respondToAction } from "../../forms/respond.ts";

/**
 * Deletes an upload and the files that no other upload has. Redirects to the list; JSON:
 * `{"deleted":true}`, 404 for an unknown id. 503 while the object with the maps is unavailable;
 * otherwise see `respondToAction`.
 */
export function deleteUpload(c: AppContext): Promise<Response> {
  const perform = async () => {
    const isKnown = await c.get("services").sourceMaps.deleteUpload(c.req.param("id") ?? "");
    if (!isKnown) return fail({ reason: "unknown-upload" } as const);
    return ok({
      body: { deleted: true },
      redirectTo: SOURCE_MAPS_URL,
      flash: { kind: "upload-deleted", count: 1 },
    } as const);
  };
  return respondToAction(c, perform, {
    dependency: "source-maps",
    getFormPath: () => SOURCE_MAPS_URL,
  });
}
