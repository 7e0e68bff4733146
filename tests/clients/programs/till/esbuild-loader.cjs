// A loader for webpack: TypeScript becomes JavaScript, with a map of each file.
const { transformSync } = require("esbuild");

/**
 * @this {import("webpack").LoaderContext<object>}
 * @param {string} source
 */
module.exports = function load(source) {
  const sourcefile = this.resourcePath;
  const { code, map } = transformSync(source, { loader: "ts", sourcemap: true, sourcefile });
  this.callback(null, code, JSON.parse(map));
};
