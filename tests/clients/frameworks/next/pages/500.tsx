export { ServerErrorPage as default } from "errata/next/client";
