import { nameAll } from "./name-all.js";

export default {
  fetch: async (_request, env) => Response.json(await nameAll(env.ERRATA_DSN, "workerd")),
};
