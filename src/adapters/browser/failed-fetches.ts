/**
 * Reports requests of the page that failed: `fetch` rejects, or the status is 500 or more. The page
 * gets what it would get without this file.
 */

import { attempt, capture } from "../../client/reporter.ts";

/** Replaces `fetch`. The requests of the reporter, to `ownUrl`, are not reported. */
export function watchFetches(ownUrl: string): void {
  const { fetch } = window;
  window.fetch = async (input, init) => {
    // `failure` is the response, or what `fetch` threw.
    const report = (failure: unknown) =>
      attempt(() => {
        const { url = input, method = "GET" } = Object(input);
        const message = `${init?.method ?? method} ${url}`;
        if (input !== ownUrl)
          capture("fetch", failure, { message, status: Object(failure).status });
      });
    try {
      const response = await fetch(input, init);
      // A page may have put something else in place of `fetch`.
      if (response?.status >= 500) report(response);
      return response;
    } catch (error) {
      report(error);
      throw error;
    }
  };
}
