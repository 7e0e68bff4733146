/** The debug ids that a report names for its scripts. Pure. */
import { asArray, asRecord, asText, filterRecords, parseHexId } from "../decode/as-type.ts";

/** The debug id that the sender named for a file (`debug_meta.images` of a Sentry event). */
export interface DebugImage {
  readonly file: string;
  /** 32 lower-case hex characters. */
  readonly debugId: string;
}

/**
 * One image for each of `files` that has one, with the file's own spelling. SDKs write the image of
 * a script as its frames do; some add a query or `async `. `detail` is that of the report.
 */
export function selectDebugImages(
  detail: unknown,
  files: ReadonlySet<string>,
): readonly DebugImage[] {
  const images = listImages(asRecord(detail)?.debug_meta);
  if (images.length === 0) return [];
  const byFile = new Map(images.map(({ file, debugId }) => [toScriptPath(file), debugId]));
  return [...files].flatMap((file) => {
    const debugId = byFile.get(toScriptPath(file));
    return debugId === undefined ? [] : [{ file, debugId }];
  });
}

/** The images of `debug_meta` that name a script. A debug id may end in an age: `<uuid>-0`. */
function listImages(debugMeta: unknown): readonly DebugImage[] {
  const images = filterRecords(asArray(asRecord(debugMeta)?.images) ?? []);
  return images.flatMap(({ code_file: codeFile, debug_id: id }) => {
    const file = asText(codeFile);
    const debugId = parseHexId(asText(id)?.replace(/^(.{32,36})-\d{1,3}$/, "$1"));
    return file === undefined || debugId === undefined ? [] : [{ file, debugId }];
  });
}

function toScriptPath(file: string): string {
  return file.replace(/^async /, "").replace(/[?#].*$/s, "");
}
