import { fileURLToPath } from "node:url";
import type { NextConfig } from "next";

// The packages are in the folder above.
const config: NextConfig = { turbopack: { root: fileURLToPath(new URL("..", import.meta.url)) } };

export default config;
