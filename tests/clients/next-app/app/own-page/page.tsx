export const dynamic = "force-dynamic";

export default function OwnPage() {
  throw new Error("the team has an error page of its own");
}
