import { fileURLToPath } from "node:url";
import type { NextConfig } from "next";

const config: NextConfig = {
  // The packages are in the folder above.
  turbopack: { root: fileURLToPath(new URL("..", import.meta.url)), debugIds: true },
  productionBrowserSourceMaps: true,
  experimental: { serverSourceMaps: true },
};

export default config;
