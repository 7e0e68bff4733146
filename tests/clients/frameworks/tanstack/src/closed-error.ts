/** An error whose message visitors may read. */
export class ClosedError extends Error {
  override name = "ClosedError";
}
