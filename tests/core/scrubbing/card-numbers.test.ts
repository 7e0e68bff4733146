import { describe, expect, it } from "vitest";
import { isCardNumber } from "#src/core/scrubbing/card-numbers.ts";

describe("a card number", () => {
  for (const number of [
    "4111 1111 1111 1111",
    "5500-0000-0000-0004",
    "378282246310005",
    "6011000990139424",
    "2221000000000009",
    "2720999999999996",
    "4222222222222",
    "6200000000000000000",
  ]) {
    it(`is recognized by its check digit: ${number}`, () => {
      const fitting = [..."0123456789"].filter((digit) =>
        isCardNumber(number.slice(0, -1) + digit),
      );
      expect(fitting).toEqual([number.slice(-1)]);
    });
  }
  for (const number of [
    "1795277313733",
    "411111111111",
    "0000000000000000",
    "2721000000000004",
    "42424242424242426",
    "424242424242424242",
  ]) {
    it(`needs a valid prefix, length and check digit: ${number}`, () =>
      expect(isCardNumber(number)).toBe(false));
  }
});
