import { defineAction as define } from "astro:actions";
import { wrapDefineAction } from "errata/astro/actions";

const defineAction = wrapDefineAction(define);

export const server = {
  pour: defineAction({
    accept: "form",
    handler: () => {
      throw new Error("no cup: secret-of-the-kitchen");
    },
  }),
};
