import { editDistance, routes, safeName } from '@tollgate/contract';
import type { RouteRow } from './router.ts';

/** What of a path a message repeats, in characters. */
const shownCharsMax = 128;
/** The number of segments that are compared, and of characters in each: a path costs little to check. */
const segmentsMax = 8;
const segmentCharsMax = 32;
/** What a segment costs that only one of two paths has. */
const missingCost = 6;
/** A route that costs more is not what was meant. */
const costMax = 12;

/** What clients put before a path by habit, where the host does not. */
const habitual = /^(?:\/[\w.-]+){0,3}?\/v1(?:beta)?(?=\/|$)/;

/** Printable ASCII, cut to a fixed length. */
const shownPath = (path: string): string =>
  path.slice(0, shownCharsMax).replaceAll(/[^\x21-\x7e]/g, '?') + (path.length > shownCharsMax ? '...' : '');

const segmentsOf = (path: string): readonly string[] =>
  path
    .split('/', segmentsMax + 1)
    .slice(1)
    .map((segment) => segment.slice(0, segmentCharsMax).toLowerCase());

/** What follows the parameter of a segment: `:generateContent`. */
const afterParameter = (segment: string): string => segment.slice(segment.indexOf('}') + 1).toLowerCase();

/** A word of which more than half must be changed is another word. */
const wordCost = (asked: string, known: string): number => {
  const cost = editDistance(asked, known);
  return 2 * cost > known.length ? costMax + 1 : cost;
};

const segmentCost = (asked: string, known: string): number => {
  if (!known.startsWith('{')) return wordCost(asked, known.toLowerCase());
  const verb = afterParameter(known);
  const colon = asked.indexOf(':');
  if (verb === '') return colon === -1 ? 0 : missingCost;
  return colon === -1 ? missingCost : wordCost(asked.slice(colon), verb);
};

const costOf = (asked: readonly string[], route: RouteRow): number => {
  const known = route.path.split('/').slice(1);
  const missing = Math.abs(known.length - asked.length) * missingCost;
  return known.reduce(
    (cost, segment, index) => cost + (asked[index] === undefined ? 0 : segmentCost(asked[index], segment)),
    missing,
  );
};

/** The route that was probably meant; of several alike the one of the method that was asked with. */
const nearestRoute = (method: string, path: string): RouteRow | null => {
  const asked = segmentsOf(path);
  const costs = routes.map((route) => ({
    route,
    cost: costOf(asked, route) + (route.method === method ? 0 : 0.5),
  }));
  const [nearest] = costs.toSorted((one, other) => one.cost - other.cost);
  return nearest === undefined || nearest.cost > costMax ? null : nearest.route;
};

/** The error for an unknown path: the path, and the nearest that there is. */
export const unknownPathDetail = (basePath: string, method: string, path: string): string => {
  const below = path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path.replace(habitual, '');
  const nearest = nearestRoute(method, below);
  const known = nearest === null ? '' : `the nearest is ${nearest.method} ${basePath}${nearest.path}, and `;
  return `There is no path ${shownPath(path)}; ${known}GET ${basePath}/openapi.json lists all.`;
};

/** The error for a method that a path does not take. `allow` lists those that it takes. */
export const unknownMethodDetail = (method: string, path: string, allow: string): string =>
  `The path ${shownPath(path)} takes no ${safeName(method)}; accepted: ${allow}.`;
