import { data } from "react-router";

/** The loader answers with a 500 on purpose. */
export function loader() {
  throw data({ reason: "The kitchen is closed." }, { status: 500 });
}

export default function Expected() {
  return <h1>Open</h1>;
}
