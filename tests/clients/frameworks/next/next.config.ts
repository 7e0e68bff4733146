import { fileURLToPath } from "node:url";
import type { NextConfig } from "next";

const config: NextConfig = {
  // The address of Errata, without the key.
  env: { NEXT_PUBLIC_ERRATA: new URL(process.env.ERRATA_DSN ?? "http://localhost").origin },
  // The packages are in the folder above.
  turbopack: { root: fileURLToPath(new URL("..", import.meta.url)) },
};

export default config;
