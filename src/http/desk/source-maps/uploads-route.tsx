/** `/source-maps`: uploads, whether a script would be mapped, and deletion; also as JSON. */
import { limits } from "../../../core/limits.ts";
import { ok } from "../../../core/result.ts";
import { deleteUpload, getUpload, listSourceMaps } from "../../../operations/source-maps.ts";
import { Layout } from "../../../ui/layout/layout.tsx";
import { SourceMapsPage } from "../../../ui/source-maps/source-maps-page.tsx";
import { UnknownUploadPage, UploadPage } from "../../../ui/source-maps/upload-page.tsx";
import { SOURCE_MAPS_URL } from "../../../ui/urls/source-map-urls.ts";
import type { AppContext } from "../../context.ts";
import { respondToAction } from "../../forms/respond.ts";
import { perform, respondWithOutput, toCall, toReadFailureResponse } from "../../operation-call.ts";
import { definePage } from "../../pages/settings-page.tsx";
import { sendPage, wantsJson } from "../../send-page.tsx";
import { awaitOrNull } from "../../unavailable.ts";

/**
 * The uploads, newest first. `?script=…` with optional `release`, `dist` and `debugId` asks whether
 * a script would be mapped, and at which place if it has a position. JSON: the summary with `check`;
 * 400 if the script is none, 503 while the object with the maps is unavailable.
 */
export const sourceMapsPage = definePage({
  path: SOURCE_MAPS_URL,
  role: listSourceMaps.role,
  title: "Source maps",
  note: () => (
    <>
      Uploaded maps make minified stacks readable, including those of earlier reports. See{" "}
      <a href="/docs/source-maps">how to upload them</a>.
    </>
  ),
  async load(c) {
    const call = toCall(c);
    const input = readCheck(c);
    const asked = await listSourceMaps.load(input, call);
    const isRefused = !asked.ok && asked.reason === "bad-script";
    const loaded = isRefused ? await listSourceMaps.load({}, call) : asked;
    if (!loaded.ok) return toReadFailureResponse(loaded);
    const { summary, check } = loaded.value;
    return {
      summary: awaitOrNull(c, summary),
      fields: { ...input, isRefused },
      check: check === null ? undefined : awaitOrNull(c, check),
      nowMs: call.services.nowMs(),
    };
  },
  view: SourceMapsPage,
  status: ({ fields }) => (fields.isRefused ? 400 : 200),
  json: (c) => respondWithOutput(c, listSourceMaps, readCheck(c)),
});

/** The script to check. */
function readCheck(c: AppContext) {
  const [script, release, dist, debugId] = ["script", "release", "dist", "debugId"].map((name) =>
    readField(c, name),
  );
  return { script, release, dist, debugId };
}

/** A field of the form; undefined if it is empty. */
function readField(c: AppContext, name: string): string | undefined {
  const text = c.req.query(name)?.trim().slice(0, limits.maxStringChars);
  return text === "" ? undefined : text;
}

/** Serves the files of an upload; 404 if it is unknown. */
export async function serveUpload(c: AppContext): Promise<Response> {
  const id = (c.req.param("id") ?? "").replace(/\.json$/, "");
  if (wantsJson(c)) return respondWithOutput(c, getUpload, { id });
  const loaded = await awaitOrNull(c, getUpload.load({ id }, toCall(c)));
  const isUnknown = loaded?.ok === false;
  return sendPage(c, {
    title: isUnknown ? "Unknown upload" : `Upload ${id.slice(0, 8)}`,
    route: "/source-maps/:id",
    status: isUnknown ? 404 : 200,
    content: (
      <Layout current="settings" isSignedIn>
        {isUnknown ? (
          <UnknownUploadPage />
        ) : (
          <UploadPage id={id} files={loaded?.value.files ?? null} />
        )}
      </Layout>
    ),
  });
}

/**
 * Deletes an upload and the files that no other upload has. Redirects to the list; JSON:
 * `{"deleted":true}`, 404 for an unknown id. 503 while the object with the maps is unavailable;
 * otherwise see `respondToAction`.
 */
export function deleteUploadFromForm(c: AppContext): Promise<Response> {
  const act = async () => {
    const deleted = await perform(c, deleteUpload, { id: c.req.param("id") ?? "" }, "bad-form");
    if (!deleted.ok) return deleted;
    return ok({
      body: deleted.value,
      redirectTo: SOURCE_MAPS_URL,
      flash: { kind: "upload-deleted", count: 1 },
    } as const);
  };
  return respondToAction(c, act, {
    dependency: "source-maps",
    getFormPath: () => SOURCE_MAPS_URL,
  });
}
