import { bodyBounds } from '@tollgate/contract';
import type { HostileProcess } from './gateway-process.ts';
import { googleRoutes } from './google-routes.ts';
import { isFirstLook } from './fillers.ts';
import { hostileBodies, type HostileBody } from './hostile-bodies.ts';
import { hostileRoutes, type HostileRoute } from './hostile-routes.ts';
import { jsonShot, type Shot } from './hostile-shot.ts';
import { liveShots } from './live-shots.ts';
import { measureAgain, measureShots, type Cost } from './measure-shots.ts';
import { multipartShots } from './multipart-shots.ts';

/** Shots of one size, and what one of them may cost. */
export interface HostileSize {
  readonly bytes: number;
  /** Milliseconds of CPU. */
  readonly limitMs: number;
  /** Milliseconds that the event loop may stand still. */
  readonly stopLimitMs: number;
  /** How deep in the contract hostile content is put. */
  readonly placeDepthMax: number;
}

export interface HostileTable {
  readonly size: HostileSize;
  readonly shots: number;
  /** A body of plain text of the same size. */
  readonly plainMs: number;
  /** The worst first. */
  readonly worst: readonly Cost[];
}

export interface HostileOptions {
  readonly sizes: readonly HostileSize[];
  /** Parts of the names of routes or ways in; empty for all of them. */
  readonly surfaces: readonly string[];
  /** Sends the fillers that cost most, and leaves the others out. */
  readonly isShallow: boolean;
  /** How many of the worst are measured again, and how often. */
  readonly again: { readonly rows: number; readonly runs: number };
  readonly onPlace: (size: HostileSize, place: PlaceCost) => void;
}

/** What the content in one place cost at the worst. */
export interface PlaceCost {
  readonly surface: string;
  readonly place: string;
  readonly shots: number;
  readonly worst: Cost;
}

/** As many as the gateway lets through: what is beyond is refused while it is scanned. */
const withinOf = (nodesMax: number) => ({ nodesMax: nodesMax * 0.97, namesMax: nodesMax * 0.099 });
/** As many as fit. */
const unbounded = { nodesMax: Infinity, namesMax: Infinity };

const depthOf = (place: string): number => place.split('.').length;

/** Both routes read their bodies in one way. */
const isTwin = ({ id }: HostileRoute): boolean => id === 'streamGenerateContent';

const bodiesOf = (
  route: HostileRoute,
  { bytes, placeDepthMax }: HostileSize,
  isShallow: boolean,
): readonly HostileBody[] => {
  const depthMax = isShallow && isTwin(route) ? 1 : placeDepthMax;
  const within = hostileBodies(route.schema, { bytes, ...withinOf(bodyBounds.nodesMax) });
  // Where they stand matters little, as they are not parsed.
  const beyond = hostileBodies(route.schema, { bytes, ...unbounded });
  return [
    ...within.filter(({ place }) => depthOf(place) <= depthMax),
    ...beyond
      .filter(({ place }) => (isShallow ? place === 'body' : depthOf(place) === 1))
      .map((body) => ({ ...body, filler: `${body.filler}, unbounded` })),
  ].filter(({ filler }) => !isShallow || isFirstLook(filler));
};

/** Everything that is sent in one size. Live frames have a bound of their own, and are sent with the first size. */
const shotsOf = (size: HostileSize, { surfaces, isShallow, sizes }: HostileOptions): readonly Shot[] => {
  // Google paths read their bodies as the routes of the contract do: a first look sends them the smaller ones.
  const google = isShallow && size !== sizes[0] ? [] : googleRoutes;
  const bodies = [...hostileRoutes, ...google]
    .filter(({ bodyBytesMax }) => bodyBytesMax >= size.bytes)
    .flatMap((route) => bodiesOf(route, size, isShallow).map((body) => jsonShot(route, body)));
  const frames = size === sizes[0] ? liveShots() : [];
  const others = frames.filter(({ place, filler }) => !isShallow || place === 'session' || isFirstLook(filler));
  return [...bodies, ...multipartShots(size.bytes), ...others].filter(
    ({ surface }) => surfaces.length === 0 || surfaces.some((part) => surface.includes(part)),
  );
};

/** Gathers the costs of a place, and tells them when the next place begins. */
const createPlaces = (tell: (place: PlaceCost) => void) => {
  let costs: Cost[] = [];
  const end = (): void => {
    const worst = costs.toSorted((a, b) => b.cpuMs - a.cpuMs)[0];
    if (worst !== undefined) tell({ surface: worst.shot.surface, place: worst.shot.place, shots: costs.length, worst });
    costs = [];
  };
  return {
    add: (cost: Cost): void => {
      const last = costs.at(-1)?.shot;
      if (last !== undefined && (last.surface !== cost.shot.surface || last.place !== cost.shot.place)) end();
      costs.push(cost);
    },
    end,
  };
};

const measureSize = async (
  gateway: HostileProcess,
  size: HostileSize,
  options: HostileOptions,
): Promise<HostileTable> => {
  const places = createPlaces((place) => options.onPlace(size, place));
  const costs = await measureShots(gateway, shotsOf(size, options), places.add);
  places.end();
  const plain = costs.filter(({ shot }) => shot.filler === 'text' && shot.place === 'body');
  const [cheapest] = await measureAgain(gateway, plain.slice(0, 1), { rows: 1, runs: options.again.runs });
  const worst = await measureAgain(gateway, costs, options.again);
  return { size, shots: costs.length, plainMs: cheapest?.cpuMs ?? 0, worst };
};

/** Sends the gateway everything hostile that its routes and sockets take, and finds what costs most in each size. */
export const runHostile = async (
  gateway: HostileProcess,
  options: HostileOptions,
): Promise<readonly HostileTable[]> => {
  const tables: HostileTable[] = [];
  for (const size of options.sizes) tables.push(await measureSize(gateway, size, options));
  return tables;
};
