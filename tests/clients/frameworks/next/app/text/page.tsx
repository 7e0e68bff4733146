export const dynamic = "force-dynamic";

export default function Text() {
  throw "no error object, secret-of-the-kitchen";
}
