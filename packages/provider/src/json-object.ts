/** A JSON object as clients and upstreams send it. */
export type JsonObject = { readonly [key: string]: unknown };
