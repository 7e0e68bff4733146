export default function handler() {
  throw new Error("the old API is broken, secret-of-the-kitchen");
}
