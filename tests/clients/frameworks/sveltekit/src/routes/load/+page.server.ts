export function load(): never {
  throw new TypeError("no price: secret-of-the-kitchen");
}
