// `npm run dev`, `deploy` and `deploy:dry`: wrangler, quiet. What stands behind `--` goes to wrangler.

import { run } from "./run.mjs";

const { code } = await run("wrangler", process.argv.slice(2), { terminal: true });
process.exit(code);
