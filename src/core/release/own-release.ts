/** The releases of Errata itself, as its build names them. */

const OWN_RELEASE = /^errata@\d+\.\d+\.\d+\+[\da-f]{12}$/;

/** True for the name of a build of Errata: `errata@0.1.0+3f9c0a51b2d4`. */
export function isOwnRelease(release: string | undefined): boolean {
  return release !== undefined && OWN_RELEASE.test(release);
}
