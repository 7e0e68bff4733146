import { defineConfig } from "vite";

// Another origin than the page's: the address of Errata.
const monitoring = `${new URL(process.env.ERRATA_DSN ?? "http://localhost").origin}/monitoring`;

export default defineConfig(({ isSsrBuild }) => ({
  define: { ERRATA_MONITORING: JSON.stringify(monitoring) },
  build: isSsrBuild
    ? { outDir: "dist/server" }
    : {
        outDir: "dist/client",
        rolldownOptions: { input: "src/client.jsx", output: { entryFileNames: "client.js" } },
      },
}));
