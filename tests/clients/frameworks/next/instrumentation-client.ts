import { startErrata } from "errata/next/client";

startErrata({ to: `${process.env.NEXT_PUBLIC_ERRATA}/monitoring` });
