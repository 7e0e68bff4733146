export function getServerSideProps() {
  return { props: {} };
}

export default function Render() {
  throw new Error("the old page does not render, secret-of-the-kitchen");
}
