export default defineEventHandler(() => {
  const cause = new Error("no gas: secret-of-the-kitchen");
  throw new RangeError("no heat: secret-of-the-kitchen", { cause });
});
