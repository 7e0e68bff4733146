export async function getServerSideProps() {
  throw new Error("no props for the old page, secret-of-the-kitchen");
}

export default function Props() {
  return <p>Props</p>;
}
