/** The times in ids of other systems. Pure. */

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** The pattern of a ULID: ten characters of time, sixteen random ones (github.com/ulid/spec). */
export const ULID = "[0-7][\\dA-HJKMNP-TV-Z]{25}";

const TIME_CHARS = 10;
/** Earlier and later times are no times of these systems. */
const MIN_MS = Date.UTC(2010, 0, 1);
const MAX_MS = Date.UTC(2100, 0, 1);

/** The time of a ULID, ms; undefined if it is not plausible. */
export function readUlidTime(ulid: string): number | undefined {
  let ms = 0;
  for (const letter of ulid.slice(0, TIME_CHARS).toUpperCase())
    ms = ms * CROCKFORD.length + CROCKFORD.indexOf(letter);
  return toPlausible(ms);
}

/**
 * The time of a reference of Azure Front Door, ms: `20260507T125429Z-…`, or before 2023 base64
 * after a zero, whose first four bytes are seconds, the lowest first.
 */
export function readAzureTime(reference: string): number | undefined {
  const [, date, time] = /^(\d{8})T(\d{6})Z-/.exec(reference) ?? [];
  if (date !== undefined && time !== undefined) {
    const [year, month, day] = [date.slice(0, 4), date.slice(4, 6), date.slice(6)];
    const clock = `${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}`;
    return toPlausible(Date.parse(`${year}-${month}-${day}T${clock}Z`));
  }
  try {
    const bytes = atob(reference.slice(1, 9));
    const seconds = [3, 2, 1, 0].reduce((sum, at) => sum * 256 + bytes.charCodeAt(at), 0);
    return toPlausible(seconds * 1_000);
  } catch {
    return undefined;
  }
}

function toPlausible(ms: number): number | undefined {
  return ms >= MIN_MS && ms < MAX_MS ? ms : undefined;
}
