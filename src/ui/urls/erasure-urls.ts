/** `/erase/<id>`: the preview and the result of an erasure. No URL contains its text. */
export function toErasureUrl(id: string): string {
  return `/erase/${id}`;
}
