/**
 * The application of a release: `shop` of `shop@2.5.0`. A project often has several, such as a site
 * and its API, whose releases have nothing to do with each other.
 */

/** The name before the last `@`; undefined for a release without one, such as `2.5.0`. */
export function getApplication(release: string): string | undefined {
  const at = release.lastIndexOf("@");
  return at > 0 ? release.slice(0, at) : undefined;
}

/** The release without its application: `2.5.0` of `shop@2.5.0`. */
export function getVersion(release: string): string {
  const application = getApplication(release);
  return application === undefined ? release : release.slice(application.length + 1);
}

/**
 * The items, such as deploys, of the applications that `releases` belong to. Without releases the
 * application is unknown: all items if they are of one application, otherwise none.
 */
export function selectOfApplications<Item extends { readonly release: string }>(
  items: readonly Item[],
  releases: readonly string[],
): readonly Item[] {
  const known = new Set(releases.map(getApplication));
  if (known.size > 0) return items.filter(({ release }) => known.has(getApplication(release)));
  return new Set(items.map(({ release }) => getApplication(release))).size > 1 ? [] : items;
}
