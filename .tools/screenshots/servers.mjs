// Errata in the states that pictures are taken in: whole, and with its index away.

/**
 * Serves an Errata with an empty store. With `isIndexAway` the index throws at whatever it is asked, as an object does whose
 * machine is gone: reports are taken and kept, and nothing can be listed.
 *
 * @param {{ isIndexAway?: boolean, setup?: string }} [options] `setup` is ERRATA_SETUP
 */
export async function serveForPictures({ isIndexAway = false, setup } = {}) {
  const { serve } = await import("../serve.mjs");
  const common = {
    key: "0123456789abcdef0123456789abcdef",
    vars: { ERRATA_RELEASE: "errata@1.0.0", ...(setup && { ERRATA_SETUP: setup }) },
    isLocalOpen: true,
  };
  if (!isIndexAway) return serve(common);
  const away = { className: "Away", scriptName: "away", useSQLite: true };
  return serve({
    ...common,
    miniflare: {
      durableObjects: {
        REPORT_LOG: { className: "ReportLog", useSQLite: true },
        PROJECT_INDEX: away,
        REGISTRY: { className: "Registry", useSQLite: true },
      },
    },
    alongside: [
      {
        name: "away",
        modules: true,
        script:
          'export class Away { constructor() { throw new Error("away"); } } export default { fetch: () => new Response() };',
        durableObjects: { OBJECT: { className: "Away", useSQLite: true } },
      },
    ],
  });
}
