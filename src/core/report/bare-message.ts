/** Messages without the words that engines, SDKs and frameworks put in front of them. */

const PREFIXES =
  /^(?:⨯\s{1,3}|Uncaught |\(in promise\):? |[Uu]nhandled ?(?:Promise )?[Rr]ejection:\s{1,3}|Non-Error promise rejection captured with value: |Unchecked runtime\.lastError: |[A-Za-z]{0,40}Error: ){1,5}/;

/** `no cart` for `Uncaught (in promise) TypeError: no cart`. Linear time. */
export function toBareMessage(message: string): string {
  return message.trim().replace(PREFIXES, "").trim();
}
