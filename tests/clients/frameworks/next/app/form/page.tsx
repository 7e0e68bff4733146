import { pay } from "../action/actions.ts";

// A form, which also works without scripts.
export default function Form() {
  return (
    <form action={pay}>
      <button type="submit">Pay</button>
    </form>
  );
}
