/** Grouping, version 1: messages that tell no two errors apart. */

const EMPTY = /^(?:[^\p{L}]*|\[object \w+\]|undefined|null|none|nil)$/iu;

/** Words that any failing request or check may use. */
const GENERIC_WORDS = new Set(
  `a abort aborted access action again ajax allowed an and api are at authentication authorised
  authorized axios bad been by call canceled cancelled client closed code conflict connect
  connection could data delete denied did due empty entity error errors exceeded exception
  expired failed failure false fatal fetch for forbidden found from gateway get gone hang has
  have http https in internal invalid io is it later limit load loading lost many message ms
  network no not occurred of offline ok on operation or out patch permission please post promise
  put reason refused rejected request requests required reset response result returned s sec
  seconds sending server service socket something status success temporarily text that the there
  this time timed timeout to too true try unauthorised unauthorized unavailable unexpected
  unhandled unknown unprocessable up user was went were with wrong xhr`.split(/\s+/),
);
const MAX_GENERIC_CHARS = 120;

/**
 * True if the message has only generic words, codes and values: "Request failed with status 500".
 */
export function isUninformative(message: string): boolean {
  if (EMPTY.test(message)) return true;
  if (message.length > MAX_GENERIC_CHARS) return false;
  const words = message.toLowerCase().match(/[\p{L}\p{M}]+(?:['’]\p{L}+)?/gu) ?? [];
  return words.every((word) => GENERIC_WORDS.has(word));
}
