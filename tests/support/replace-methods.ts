/** An object with some methods replaced. A remote object cannot be spread: it lists no methods. */
export function replaceMethods<T extends object>(base: T, methods: Partial<T>): T {
  return Object.assign(Object.create(base) as T, methods);
}
