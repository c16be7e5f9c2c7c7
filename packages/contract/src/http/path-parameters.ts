import type { RouteId, routes } from './route-table.ts';

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** The texts of the parameters in the path of a route, by their names. */
export type PathParameters<Id extends RouteId> = Readonly<
  Record<NamesIn<Extract<(typeof routes)[number], { readonly id: Id }>['path']>, string>
>;
