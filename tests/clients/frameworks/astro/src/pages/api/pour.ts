export function GET(): never {
  throw new Error("no kettle: secret-of-the-kitchen");
}
