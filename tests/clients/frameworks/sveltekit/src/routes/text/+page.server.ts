export function load(): never {
  throw "no tea: secret-of-the-kitchen";
}
