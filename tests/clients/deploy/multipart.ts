/** Reads the forms that wrangler uploads. */

/** A part of a form: a field or a file. */
export interface Part {
  readonly name: string;
  readonly text: string;
}

/** The parts of a `multipart/form-data` body; none for another type. */
export function parseForm(contentType: string, bytes: Buffer): Part[] {
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)/.exec(contentType)?.[1];
  if (boundary === undefined) return [];
  return bytes
    .toString("latin1")
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const end = part.indexOf("\r\n\r\n");
      return {
        name: /[; ]name="([^"]*)"/.exec(part.slice(0, end))?.[1] ?? "",
        text: Buffer.from(part.slice(end + 4, -2), "latin1").toString(),
      };
    });
}
