import Link from "next/link";

export default function Home() {
  return (
    <main>
      <h1>The shop</h1>
      <Link href="/soft" prefetch={false}>
        Menu
      </Link>
    </main>
  );
}
