import { command, query } from "$app/server";

export const readStock = query((): never => {
  throw new RangeError("no leaves: secret-of-the-kitchen");
});

export const orderTea = command((): never => {
  throw new Error("no order: secret-of-the-kitchen");
});
