import * as router from "@tanstack/react-router/ssr/server";
import * as start from "@tanstack/react-start/server";
import { createServerEntry } from "@tanstack/react-start/server-entry";
import { createFetch } from "errata/tanstack/server";
import * as dom from "react-dom/server";

export default createServerEntry({ fetch: createFetch({ dom, router, start }) });
