// The pages of the screenshots: paths by the name of their picture.

import { NOTICE_DIGEST } from "../../src/core/sample/sample-shop.ts";

export type Pages = Readonly<Record<string, string>>;

export const LISTS: Pages = {
  home: "/",
  issues: "/issues",
  releases: "/releases",
  policies: "/csp",
  live: "/live",
  connect: "/connect",
  status: "/status",
};

/** The pages of an owner, with a second project. */
export const OWN_PAGES: Pages = {
  me: "/profile",
  projects: "/projects",
  settings: "/settings",
  audit: "/settings/audit",
  "settings-second": "/p/2/settings",
  "home-second": "/p/2/",
};

export const FAILING_PAGES: Pages = {
  "failed-shell": "/self-test/shell",
  "failed-boundary": "/self-test/after-flush",
  "failed-in-browser": "/self-test/uncaught",
};

/** A policy that would allow some of the sample's violations. */
const PICTURED_POLICY =
  "default-src 'self'; script-src 'self' https://widgets.chat-helper.example; img-src 'self'";

/** The pages of the sample project, which has this digest. */
export function listSamplePages(digest: string): Pages {
  return {
    issue: `/d/${digest}`,
    "issues-regressed": "/issues?q=is:regressed",
    "issues-noise": "/issues?q=is:noise",
    "issues-filtered": '/issues?q=env:"sample"+release:shop@2.4.0&sort=count',
    "issues-none": "/issues?q=is:open+browser:lynx+nothing",
    release: "/releases/shop@2.4.0",
    "release-unknown": "/releases/none",
    hits: `/lookup?q=${NOTICE_DIGEST}`,
    "unknown-digest": "/d/0000-0000",
    misread: `/d/${misread(digest)}`,
    "unknown-code": "/lookup?q=1234567890",
    "control-flow": "/lookup?q=NEXT_REDIRECT;replace;/login;307;",
    receipt: `/e/${digest}`,
    "receipt-sent": `/e/${digest}?sent=1`,
    "receipt-unknown": "/e/0000-0000",
    "self-test": "/self-test",
    missing: "/missing",
  };
}

/** The pages of a project with an issue of too long texts. */
export function listHostilePages(digest: string): Pages {
  return {
    home: "/",
    issues: "/issues",
    issue: `/d/${digest}`,
    releases: "/releases",
    receipt: `/e/${digest}`,
    live: "/live",
    status: "/status",
  };
}

/** The pages in the README: those of the sample, and an issue whose source map was uploaded. */
export function listReadmePages(digest: string, mappedDigest: string): Pages {
  return {
    home: "/",
    issue: `/d/${mappedDigest}`,
    misread: `/d/${misread(digest)}`,
    receipt: `/e/${digest}`,
    release: "/releases/shop@2.4.0",
    policy: `/csp?policy=${encodeURIComponent(PICTURED_POLICY)}`,
  };
}

/** The digest with another last character. */
function misread(digest: string) {
  return `${digest.slice(0, -1)}${digest.endsWith("8") ? "B" : "8"}`;
}
