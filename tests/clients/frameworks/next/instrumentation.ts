export { onRequestError, register } from "errata/next";
