/** The debug ids that a report names for its scripts. Pure. */
import { asArray, asRecord, asText, filterRecords, parseHexId } from "../decode/as-type.ts";

/** The debug id that the sender named for a file (`debug_meta.images` of a Sentry event). */
export interface DebugImage {
  readonly file: string;
  /** 32 lower-case hex characters. */
  readonly debugId: string;
}

/** Ids of one file that are tried: tools that inject ids one after another add one each. */
const MAX_IDS_PER_FILE = 4;

/**
 * The images of `files`, with the file's own spelling. A file has one for each of its ids. SDKs
 * write the image of a script as its frames do; some add a query or `async `. `detail` is that of
 * the report.
 */
export function selectDebugImages(
  detail: unknown,
  files: ReadonlySet<string>,
): readonly DebugImage[] {
  const images = listImages(asRecord(detail)?.debug_meta);
  if (images.length === 0) return [];
  const byFile = new Map<string, Set<string>>();
  for (const { file, debugId } of images) {
    const path = toScriptPath(file);
    byFile.set(path, (byFile.get(path) ?? new Set()).add(debugId));
  }
  return [...files].flatMap((file) =>
    [...(byFile.get(toScriptPath(file)) ?? [])]
      .slice(0, MAX_IDS_PER_FILE)
      .map((debugId) => ({ file, debugId })),
  );
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
