/** Why a render was given up. It is an Error so that it is reported like any other fault. */
export class RenderDeadlineError extends Error {
  override readonly name = "RenderDeadline";

  /** `route` is the page's pattern, `/d/:digest`: one fault for a page, however slow it was. */
  constructor(route: string, deadlineMs: number) {
    super(`${route} was not rendered within ${deadlineMs} ms`);
  }
}
