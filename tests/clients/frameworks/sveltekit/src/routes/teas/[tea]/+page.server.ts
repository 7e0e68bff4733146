export const actions = {
  pour() {
    throw new Error("no cup: secret-of-the-kitchen");
  },
};
