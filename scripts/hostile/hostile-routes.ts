import { defaultCatalog, routes } from '@tollgate/contract';
import type { z } from 'zod';

/** A route that takes a body, as it is attacked. */
export interface HostileRoute {
  readonly id: string;
  readonly method: string;
  /** Below the base path, with its parameters in place. */
  readonly path: string;
  readonly bodyBytesMax: number;
  readonly schema: z.ZodType;
  /** To which its key is bound. */
  readonly model: string;
  /** The header that the key stands in; null is the credential of the contract. */
  readonly keyHeader: string | null;
}

type RouteRow = (typeof routes)[number];

const nobody = '01890a5d-ac96-774b-bcce-b302099a8057';

/** The first model that serves the route; where none is asked, one of texts. */
export const modelOf = (family: RouteRow['family']): string => {
  const row = defaultCatalog.find((model) => model.routes.includes(family ?? 'generate'));
  if (row === undefined) throw new Error(`no model serves ${family}`);
  return row.id;
};

/** The model of an ordinary tenant. */
export const textModel = modelOf('chat');

const pathOf = ({ path }: RouteRow, model: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'model' ? model : nobody));

/** Every row of the route table that has a body. */
export const hostileRoutes: readonly HostileRoute[] = routes.flatMap((route): readonly HostileRoute[] => {
  const { id, method, bodyBytesMax, request } = route;
  if (request === null || bodyBytesMax === null) return [];
  const model = modelOf(route.family);
  return [{ id, method, path: pathOf(route, model), bodyBytesMax, schema: request, model, keyHeader: null }];
});
