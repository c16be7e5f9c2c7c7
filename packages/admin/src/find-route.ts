import type { AdminRoute } from './admin-route.ts';

export type RouteFound =
  | { readonly kind: 'found'; readonly route: AdminRoute; readonly path: Readonly<Record<string, string>> }
  | { readonly kind: 'method_not_allowed'; readonly allow: string }
  | { readonly kind: 'unknown' };

const decode = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};

const parameterOf = (segment: string): string | null => /^\{(\w+)\}$/.exec(segment)?.[1] ?? null;

const match = (
  wanted: readonly string[],
  given: readonly string[],
): { readonly path: Readonly<Record<string, string>>; readonly words: number } | null => {
  if (wanted.length !== given.length) return null;
  const path: Record<string, string> = {};
  let words = 0;
  for (const [place, segment] of wanted.entries()) {
    const text = given[place] ?? '';
    const name = parameterOf(segment);
    const value = name === null ? null : decode(text);
    if (name === null ? segment !== text : value === null || value === '') return null;
    if (name === null) words += 1;
    else path[name] = value ?? '';
  }
  return { path, words };
};

/** Finds routes by path: of several that fit, the one with most words of its own. */
export const createFindRoute = (routes: readonly AdminRoute[]): ((method: string, path: string) => RouteFound) => {
  const rows = routes.map((route) => ({ route, segments: route.path.split('/') }));
  return (method, path) => {
    const given = path.split('/');
    const fitting = rows.flatMap(({ route, segments }) => {
      const found = match(segments, given);
      return found === null ? [] : [{ route, ...found }];
    });
    const most = Math.max(...fitting.map(({ words }) => words));
    const nearest = fitting.filter(({ words }) => words === most);
    const found = nearest.find(({ route }) => route.method === method);
    if (found !== undefined) return { kind: 'found', route: found.route, path: found.path };
    if (nearest.length === 0) return { kind: 'unknown' };
    return { kind: 'method_not_allowed', allow: nearest.map(({ route }) => route.method).join(', ') };
  };
};
