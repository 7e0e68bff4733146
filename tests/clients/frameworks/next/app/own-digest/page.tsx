export const dynamic = "force-dynamic";

// The application has codes of its own.
export default function OwnDigest() {
  throw Object.assign(new Error("out of tea, secret-of-the-kitchen"), { digest: "TEA-0417" });
}
