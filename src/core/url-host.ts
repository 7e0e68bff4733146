/** The host of an address, in lower case; empty for what is no address of the web. */
export function parseHost(url: string): string {
  const host = /^(?:https?|wss?):\/\/(?:[^/?#@]*@)?([^/?#:@]{1,253})/i.exec(url)?.[1];
  return host?.toLowerCase() ?? "";
}
