import { createHandleRequest } from "errata/react-router";
import { isbot } from "isbot";
import { renderToReadableStream } from "react-dom/server";
import { ServerRouter } from "react-router";

export { handleDataRequest, handleError } from "errata/react-router";

export default createHandleRequest({ ServerRouter, renderToReadableStream, isbot });
