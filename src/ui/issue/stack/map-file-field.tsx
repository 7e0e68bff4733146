/** Where a person drops or chooses the map of a minified stack. `client/map-files.ts` reads it. */

/** The field. It does nothing without scripts, which the style sheet knows. */
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
