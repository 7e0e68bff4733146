/** The sentence of every notice, of Errata's own pages and of the adapters, as in Next.js. */
export const NOTICE_SENTENCE =
  "Application error: a client-side exception has occurred (see the browser console for more information)";
