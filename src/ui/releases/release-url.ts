/** The address of a release's page. */

/** `/releases/web%402.1.0`. Half a surrogate, which no address can have, is replaced in it. */
export function releaseUrl(name: string): string {
  const written = new URLSearchParams({ name }).toString().slice("name=".length);
  return `/releases/${written.replaceAll("+", "%20")}`;
}
