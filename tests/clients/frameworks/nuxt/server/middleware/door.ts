export default defineEventHandler((event) => {
  if (event.path.startsWith("/door")) throw new Error("no key: secret-of-the-kitchen");
});
