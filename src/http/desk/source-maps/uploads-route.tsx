/** `/source-maps`: uploads, whether a script would be mapped, and deletion; also as JSON. */
import { limits } from "../../../core/limits.ts";
import { fail, ok } from "../../../core/result.ts";
import {
  createProbe,
  type ProbedFile,
  parseProbedFile,
  readProbe,
} from "../../../core/symbolication/report/probe-file.ts";
import { Layout } from "../../../ui/layout/layout.tsx";
import type { FileCheck } from "../../../ui/source-maps/check-result.tsx";
import { SourceMapsPage } from "../../../ui/source-maps/source-maps-page.tsx";
import { UnknownUploadPage, UploadPage } from "../../../ui/source-maps/upload-page.tsx";
import { SOURCE_MAPS_URL } from "../../../ui/urls/source-map-urls.ts";
import type { AppContext } from "../../context.ts";
import { toFailureResponse } from "../../failure-response.ts";
import { respondToAction } from "../../forms/respond.ts";
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
  role: "viewer",
  title: "Source maps",
  current: "source-maps",
  note: () => (
    <>
      Uploaded maps make minified stacks readable, including those of earlier reports. See{" "}
      <a href="/docs/source-maps">how to upload them</a>.
    </>
  ),
  load(c) {
    const { sourceMaps, nowMs } = c.get("services");
    const { fields, file } = readCheck(c);
    return {
      summary: awaitOrNull(c, sourceMaps.summarize()),
      fields,
      check: file === null ? undefined : awaitOrNull(c, checkFile(c, file)),
      nowMs: nowMs(),
    };
  },
  view: SourceMapsPage,
  status: ({ fields }) => (fields.isRefused ? 400 : 200),
  async json(c) {
    const { fields, file } = readCheck(c);
    if (fields.isRefused) return toFailureResponse({ reason: "bad-script" });
    const [summary, check] = await Promise.all([
      c.get("services").sourceMaps.summarize(),
      file === null ? undefined : checkFile(c, file),
    ]);
    return { ...summary, check };
  },
  dependency: "source-maps",
});

/** The script to check, and the fields of the form. */
function readCheck(c: AppContext) {
  const [script, release, dist, debugId] = ["script", "release", "dist", "debugId"].map((name) =>
    readField(c, name),
  );
  const file = parseProbedFile(script ?? "", { release, dist, debugId });
  const isRefused = script !== undefined && file === null;
  return { file, fields: { script, release, debugId, isRefused } };
}

/** A field of the form; undefined if it is empty. */
function readField(c: AppContext, name: string): string | undefined {
  const text = c.req.query(name)?.trim().slice(0, limits.maxStringChars);
  return text === "" ? undefined : text;
}

async function checkFile(c: AppContext, file: ProbedFile): Promise<FileCheck> {
  const answers = await c.get("services").sourceMaps.resolveStacks(createProbe(file));
  return { asked: file, result: readProbe(file, answers) };
}

/** The SHA-1 of an upload. */
const UPLOAD_ID = /^[0-9a-f]{40}$/;

/**
 * Serves the files of an upload; 404 if it is unknown. JSON: `{"id","files"}`; 503 while the object
 * with the maps is unavailable.
 */
export async function serveUpload(c: AppContext): Promise<Response> {
  const id = (c.req.param("id") ?? "").replace(/\.json$/, "");
  const loaded = UPLOAD_ID.test(id)
    ? await awaitOrNull(c, loadFiles(c, id))
    : ({ files: null } as const);
  const isUnknown = loaded?.files === null;
  if (wantsJson(c)) {
    if (loaded === null) return toFailureResponse({ reason: "source-maps-unavailable" });
    return isUnknown
      ? toFailureResponse({ reason: "unknown-upload" })
      : c.json({ id, files: loaded.files });
  }
  return sendPage(c, {
    title: isUnknown ? "Unknown upload" : `Upload ${id.slice(0, 8)}`,
    route: "/source-maps/:id",
    status: isUnknown ? 404 : 200,
    content: (
      <Layout current="source-maps" isSignedIn>
        {isUnknown ? <UnknownUploadPage /> : <UploadPage id={id} files={loaded?.files ?? null} />}
      </Layout>
    ),
  });
}

async function loadFiles(c: AppContext, id: string) {
  return { files: await c.get("services").sourceMaps.listFiles(id) };
}

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
