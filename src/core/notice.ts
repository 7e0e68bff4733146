/** The sentence of every notice, verbatim as in Next.js. */
export const NOTICE_SENTENCE =
  "Application error: a client-side exception has occurred (see the browser console for more information)";
