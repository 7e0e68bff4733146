/** The URLs of the client files, with content hashes, from the client build. */
import names from "../../dist/client/.vite/assets.json";

/** Absolute paths on this origin. */
export const assets = {
  page: `/${names["src/client/page.ts"]}`,
  selfTest: `/${names["src/client/self-test-entry.ts"]}`,
  style: `/${names["src/ui/style.css"]}`,
  /** In the order in which a page needs them. */
  fonts: [
    `/${names["src/ui/layout/fonts/inter-latin.woff2"]}`,
    `/${names["src/ui/layout/fonts/geist-mono-latin.woff2"]}`,
  ],
} as const;
