// The two servers for the screenshots: a working one, and one without its index.

/**
 * Serves an Errata with an empty store. If `isIndexUnavailable`, every request to the index fails,
 * so reports are stored but lists cannot be read. `setup` is ERRATA_SETUP.
 */
export async function serveForPictures({
  isIndexUnavailable = false,
  setup,
}: {
  isIndexUnavailable?: boolean;
  setup?: string;
} = {}) {
  const { serve } = await import("../local/serve.ts");
  const common = {
    key: "0123456789abcdef0123456789abcdef",
    vars: { ERRATA_RELEASE: "errata@1.0.0", ...(setup && { ERRATA_SETUP: setup }) },
    isLocalOpen: true,
  };
  return serve({ ...common, broken: isIndexUnavailable ? ["ProjectIndex"] : [] });
}
