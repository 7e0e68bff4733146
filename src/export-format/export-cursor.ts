/**
 * The cursor of an export, `0.281999.2026112117,1.282000.end`: for each shard the last exported
 * chunk, and the hour of the next one.
 */
const SHARD_PATTERN = /^[0-9a-z-]{1,32}\.\d{1,15}\.(\d{1,10}|end)$/;
const MAX_SHARDS = 256;

/** True for the `next` of an export. */
export function isExportCursor(text: string): boolean {
  const shards = text.split(",");
  return shards.length <= MAX_SHARDS && shards.every((one) => SHARD_PATTERN.test(one));
}
