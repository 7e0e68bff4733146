/** Addresses that lead to one mailbox. */
import { expect, it } from "vitest";
import { toMailbox } from "#src/core/visitors/mailbox.ts";

it.each([
  ["ada@example.org", "ADA@Example.ORG", "ada+errors@example.org", "ada+a+b@example.org."],
  ["ada.king@gmail.com", "a.d.a.king@gmail.com", "adaking+x@gmail.com"],
  ["jörg@müller.example", "jo\u0308rg@mu\u0308ller.example", "jörg@xn--mller-kva.example"],
  ["ａda@example.org", "ada@ｅxample.org"],
])("the mailbox of %s has other spellings", (address, ...others) => {
  expect(others.map(toMailbox)).toEqual(others.map(() => toMailbox(address)));
});

it.each([
  ["ada@example.org", "ada@example.com"],
  ["ada.king@example.org", "adaking@example.org"],
  ["ada@gmail.com", "adaking@gmail.com"],
  ["ada@mail.example.org", "ada@example.org"],
])("the mailbox of %s is not that of %s", (address, other) => {
  expect(toMailbox(address)).not.toBe(toMailbox(other));
});
