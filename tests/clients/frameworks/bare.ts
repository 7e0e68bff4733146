/**
 * Runs an app without its adapter: Node.js loads modules for `errata/…` that do nothing. What the
 * app then answers is what the framework does by itself.
 */

/** Modules of the package that do nothing. */
export const IDLE_MODULES: Readonly<Record<string, string>> = {
  "errata/express": `
    export const errata = () => (req, res, next) => next();
    export const handleErrors = () => (error, req, res, next) => next(error);
    export const nameFailure = () => ({});
    export const describeRequest = () => ({});`,
  "errata/fastify": `
    export const errata = (app, options, done) => done();
    export const nameFailure = () => ({});
    export const describeRequest = () => ({});`,
  "errata/hono": `
    export const errata = (app) => app;
    export const nameFailure = () => ({});
    export const reportErrors = () => () => undefined;`,
  "errata/node": "export const watchProcess = () => undefined;",
  "errata/notice": 'export const createNoticeHtml = () => "";',
  "errata/react/server": "export const createServerOptions = () => ({ onError: console.error });",
};

const toUrl = (source: string) => `data:text/javascript,${encodeURIComponent(source)}`;

const HOOKS = `
const urls = ${JSON.stringify(Object.fromEntries(Object.entries(IDLE_MODULES).map(([name, source]) => [name, toUrl(source)])))};
export const resolve = (name, context, next) =>
  urls[name] ? { url: urls[name], shortCircuit: true } : next(name, context);`;

/** The environment of an app without its adapter. */
export const WITHOUT_ADAPTER = {
  NODE_OPTIONS: `--import=${toUrl(`import { register } from "node:module"; register(${JSON.stringify(toUrl(HOOKS))});`)}`,
};
