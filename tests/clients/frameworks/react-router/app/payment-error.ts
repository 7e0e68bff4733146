/** An error with own members, as libraries of services throw them. */
export class PaymentError extends Error {
  override name = "PaymentError";
  readonly code = "card_declined";
  readonly customer = { card: "secret-of-the-kitchen" };

  constructor(where: string) {
    super(`${where}: secret-of-the-kitchen`);
  }
}
