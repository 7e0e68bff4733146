export default defineEventHandler(() => {
  throw createError({ statusCode: 503, message: "The tea house is closed" });
});
