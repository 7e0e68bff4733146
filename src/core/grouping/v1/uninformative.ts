/** Grouping, version 1: messages that tell no two errors apart. */

const EMPTY = /^(?:[^\p{L}]*|\[object \w+\]|undefined|null|none|nil)$/iu;

/** Words that any failing request or check may use. */
const GENERIC_WORDS = new Set(
  `a an and again are at been by could did due error errors exception failed failure fatal for from
  has have http https in internal invalid is it later message no not occurred of on or out please
  reason request response result returned server something status code text that the there this to
  client io sending try unexpected unknown unhandled was went were with wrong xhr ajax axios fetch api call load loading
  network connection connect lost refused reset closed aborted abort canceled cancelled timeout timed
  time exceeded expired ms s sec seconds unavailable service temporarily gateway bad found forbidden
  unauthorized unauthorised authorized authorised authentication required access denied permission
  allowed too many requests limit entity unprocessable conflict gone offline socket hang up
  rejected promise operation action user get post put patch delete ok success true false data`.split(
    /\s+/,
  ),
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
