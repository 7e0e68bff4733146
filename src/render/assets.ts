/** The URLs of the client files, with content hashes, from the manifest of the client build. */
import manifest from "../../dist/client/.vite/manifest.json";
import dialog from "../../dist/client/.vite/report-dialog.json";

/** The script of the crash dialog, which the Worker responds with (`http/ingest/error-page.ts`). */
export const reportDialogScript = dialog.script;

/** Absolute paths on this origin. */
export const assets = {
  page: `/${manifest["src/client/page.ts"].file}`,
  reporter: `/${manifest["src/client/reporter.ts"].file}`,
  selfTest: `/${manifest["src/client/self-test-entry.ts"].file}`,
  style: `/${manifest["src/ui/style.css"].file}`,
  /** In the order in which a page needs them. */
  fonts: [
    `/${manifest["src/ui/layout/fonts/inter-latin.woff2"].file}`,
    `/${manifest["src/ui/layout/fonts/geist-mono-latin.woff2"].file}`,
  ],
} as const;
