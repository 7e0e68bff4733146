"use server";

export async function order(): Promise<void> {
  throw new Error("the kitchen is closed, secret-of-the-kitchen");
}

export async function pay(_form: FormData): Promise<void> {
  throw new Error("the till is empty, secret-of-the-kitchen");
}
