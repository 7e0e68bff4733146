import { PaymentError } from "../payment-error.ts";

/** A middleware fails. Without a loader, React Router would not ask the server. */
export const middleware = [
  () => {
    throw new PaymentError("middleware");
  },
];

export function loader() {
  return null;
}

export default function Account() {
  return <h1>Account</h1>;
}
