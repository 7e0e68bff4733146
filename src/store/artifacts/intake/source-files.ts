/** The original sources in a bundle, for maps without their text. */
import { hash } from "node:crypto";
import { artifactLimits } from "../../../core/artifacts/artifact-limits.ts";
import { readZipEntry, type ZipEntry } from "../../../core/artifacts/zip.ts";
import type { ByteRange } from "../../../core/symbolication/codec.ts";
import {
  countCommonTail,
  getFileName,
  listSourceUrls,
  splitPath,
} from "../../../core/symbolication/file-candidates.ts";
import type { FileTable } from "../tables/file-table.ts";
import { rawDeflate } from "../tables/raw-deflate.ts";
import type { WaitingFile } from "../tables/stored-file.ts";

/** The sources of an upload. */
export interface SourceFiles {
  /** Equal for equal sources. */
  readonly key: string;
  /** The text of a source of a map; null without it. */
  readonly read: (mapUrl: string, name: string) => Uint8Array | null;
}

/** Names such as `index.ts` are frequent: a match needs a common folder too. */
const MIN_COMMON_SEGMENTS = 2;

/** The sources of an upload, whose bytes are in `range`; null if it has none. */
export function openSourceFiles(
  files: FileTable,
  upload: number,
  range: ByteRange,
): SourceFiles | null {
  const sources = files.listSources(upload);
  if (sources.length === 0) return null;
  const byUrl = new Map(sources.map((source) => [source.url, source]));
  const byName = Map.groupBy(sources, ({ url }) => getFileName(url));
  const find = (mapUrl: string, name: string): WaitingFile | undefined => {
    for (const url of listSourceUrls(mapUrl, name)) {
      const found = byUrl.get(url);
      if (found !== undefined) return found;
    }
    const length = splitPath(name).filter((segment) => segment !== "..").length;
    const similar = (byName.get(getFileName(name)) ?? []).filter(({ url }) => {
      const common = countCommonTail(url, name);
      const isWhole = common === length || common === splitPath(url).length;
      return isWhole && common >= MIN_COMMON_SEGMENTS;
    });
    return similar.length === 1 ? similar[0] : undefined;
  };
  const crcs = sources.map(({ url, entry }) => [url, (entry as ZipEntry).crc32]);
  return {
    key: hash("sha1", JSON.stringify(crcs)),
    read(mapUrl, name) {
      const entry = find(mapUrl, name)?.entry;
      if (entry?.in !== "zip") return null;
      const text = readZipEntry(range, entry, rawDeflate, artifactLimits.maxSourceFileBytes);
      return text.ok ? text.value : null;
    },
  };
}
