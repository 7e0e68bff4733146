/** The product's one sentence, verbatim: what a visitor reads when something broke. */
export const NOTICE_SENTENCE =
  "Application error: a client-side exception has occurred (see the browser console for more information)";
