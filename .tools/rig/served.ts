// The built Worker as `npm start` serves it, in a separate process: a rig forks this file and
// receives its URL and workerd's pid.

import { serve } from "../local/serve.ts";

const [statePath = "", vars = "{}"] = process.argv.slice(2);
// The load comes from one address, and its rate is not measured.
const { url, pid } = await serve({ statePath, vars: JSON.parse(vars), isLimited: false });
process.send?.({ url, pid });
