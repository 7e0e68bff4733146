export function load() {
  return {
    stock: new Promise((_, reject) => {
      setTimeout(() => reject(new Error("no stock: secret-of-the-kitchen")), 50);
    }),
  };
}
