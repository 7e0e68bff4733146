/**
 * The reason of a render that `render-page.tsx` aborts at its deadline. An Error, so that it is
 * reported like any other.
 */
export class RenderDeadlineError extends Error {
  override readonly name = "RenderDeadline";

  /** `route` is the page's pattern, `/d/:digest`, so that each page is one issue. */
  constructor(route: string, deadlineMs: number) {
    super(`${route} was not rendered within ${deadlineMs} ms`);
  }
}
