// A Vite plugin that keeps one script out of the client's files and writes it as JSON, so that the
// Worker can respond with it. Pages of other origins load it as a classic script, perhaps twice, so
// it is wrapped in a function.

import type { Plugin } from "vite";

/** Writes the entry `name` to `fileName` as `{"script":"…"}`. The entry must not import others. */
export function inlineScript(name: string, fileName: string): Plugin {
  return {
    name: "inline-script",
    generateBundle(_, bundle) {
      const found = Object.values(bundle).find(
        (file) => file.type === "chunk" && file.isEntry && file.name === name,
      );
      if (found?.type !== "chunk" || found.imports.length > 0 || found.exports.length > 0)
        throw new Error(`The entry ${name} is missing, or has imports or exports.`);
      delete bundle[found.fileName];
      const script = `(()=>{${found.code.trim()}})();\n`;
      this.emitFile({ type: "asset", fileName, source: JSON.stringify({ script }) });
    },
  };
}
