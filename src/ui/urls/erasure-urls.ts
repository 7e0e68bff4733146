/** `/erase/<id>`: the preview and the result of an erasure. Its text is in no URL. */
export function toErasureUrl(id: string): string {
  return `/erase/${id}`;
}
