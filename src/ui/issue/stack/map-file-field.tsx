/** The field for the map of a minified stack. `client/map-files.ts` reads the map. */

/** Hidden by the style sheet if scripts do not run. */
export function MapFileField() {
  return (
    <label className="map-file">
      <span>
        Drop a <code>.map</code> file onto the stack, or choose one. It stays in your browser.
      </span>{" "}
      <input type="file" accept=".map,.json,.js,.mjs,.cjs" multiple />
    </label>
  );
}
