// The built Worker as `npm start` serves it, in a process of its own: a rig forks this file and
// hears the URL from it.

import { join } from "node:path";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { root } from "../install.mjs";
import { serve } from "../serve.ts";

const [statePath = "", vars = "{}"] = process.argv.slice(2);
const { workerOptions } = unstable_getMiniflareWorkerOptions(join(root, "wrangler.toml"));
// The load comes from one address. Its rate is not what is measured.
const unlimited = Object.entries(workerOptions.ratelimits ?? {}).map(([name, limit]) => {
  return [name, { ...limit, simple: { limit: 1e9, period: 60 } }];
});
const miniflare = { ratelimits: Object.fromEntries(unlimited) };
const { url } = await serve({ statePath, vars: JSON.parse(vars), miniflare });
process.send?.(url);
