// The built Worker as `npm start` serves it, in a process of its own: a rig forks this file and
// hears its URL and workerd's pid.

import { serve } from "../serve.ts";

const [statePath = "", vars = "{}"] = process.argv.slice(2);
// The load comes from one address. Its rate is not what is measured.
const { url, pid } = await serve({ statePath, vars: JSON.parse(vars), isLimited: false });
process.send?.({ url, pid });
