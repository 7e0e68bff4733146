/** What an error's message says beyond its type, which stands before it: browsers like to say both in one sentence. */

/** The message without the type that it begins with: `blocked https://…` of `img-src` and `img-src blocked https://…`. */
export function stripTypePrefix({
  type,
  message,
}: {
  readonly type: string;
  readonly message: string;
}): string {
  if (type === "" || !message.startsWith(type)) return message;
  const rest = message.slice(type.length);
  return /^[\s:]/.test(rest) ? rest.replace(/^[\s:]+/, "") : message;
}
