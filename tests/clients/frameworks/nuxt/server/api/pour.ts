export default defineEventHandler(() => {
  throw new Error("no kettle: secret-of-the-kitchen");
});
