/** The host of a web URL in lower case; empty for any other text. */
export function parseHost(url: string): string {
  const host = /^(?:https?|wss?):\/\/(?:[^/?#@]*@)?([^/?#:@]{1,253})/i.exec(url)?.[1];
  return host?.toLowerCase() ?? "";
}
