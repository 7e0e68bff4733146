/** Bodies of responses that break while they are sent, of which frameworks tell no hook. */

/**
 * The body, read only as it is sent. `onBroken` gets the error of a body that breaks: the bytes that
 * it returns end the body, without any the error is passed on.
 */
export function watchBody(
  body: ReadableStream<Uint8Array>,
  onBroken: (error: unknown) => Uint8Array | undefined,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
      } catch (error) {
        const end = onBroken(error);
        if (end === undefined) return controller.error(error);
        controller.enqueue(end);
      }
      controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}
