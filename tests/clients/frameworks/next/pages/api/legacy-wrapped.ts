import { wrapApiHandler } from "errata/next";
import type { NextApiRequest, NextApiResponse } from "next";

export default wrapApiHandler((_request: NextApiRequest, _response: NextApiResponse) => {
  throw new Error("the wrapped API is broken, secret-of-the-kitchen");
});
