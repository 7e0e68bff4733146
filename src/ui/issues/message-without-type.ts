/** An issue's message without its type, which is shown before it and which browsers repeat. */

/** `blocked https://…` for the type `img-src` and the message `img-src blocked https://…`. */
export function stripTypePrefix({ type, message }: { type: string; message: string }): string {
  if (type === "" || !message.startsWith(type)) return message;
  const rest = message.slice(type.length);
  return /^[\s:]/.test(rest) ? rest.replace(/^[\s:]+/, "") : message;
}
