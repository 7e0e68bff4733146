/** URLs of uploaded source maps, relative to the origin. */

/** The list of uploads. */
export const SOURCE_MAPS_URL = "/source-maps";

/** The files of an upload. Append `.json` for JSON. */
export function toUploadUrl(id: string): string {
  return `${SOURCE_MAPS_URL}/${encodeURIComponent(id)}`;
}

/** The route that deletes it. */
export function toUploadDeletionUrl(id: string): string {
  return `${toUploadUrl(id)}/delete`;
}

/** Whether a script of a release would be mapped, and if not, why. */
export function toFileCheckUrl(script: string, release: string): string {
  return `${SOURCE_MAPS_URL}?${new URLSearchParams({ script, release })}`;
}
