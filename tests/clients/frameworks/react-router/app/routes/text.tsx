/** The loader throws a text. React Router shows what is no Error as it is. */
export function loader() {
  throw "no table is free";
}

export default function Text() {
  return <h1>Text</h1>;
}
