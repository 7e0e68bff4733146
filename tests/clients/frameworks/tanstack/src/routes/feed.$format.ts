import { createFileRoute } from "@tanstack/react-router";
import { PaymentError } from "../payment-error";

/** A server route fails, or refuses a request. */
export const Route = createFileRoute("/feed/$format")({
  server: {
    handlers: {
      GET: ({ params }) => {
        if (params.format === "none") throw Object.assign(new Error("No feed"), { status: 403 });
        throw new PaymentError("server route");
      },
    },
  },
});
