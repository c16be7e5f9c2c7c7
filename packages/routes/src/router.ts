import { routes } from '@tollgate/contract';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { SmartRouter } from 'hono/router/smart-router';
import { TrieRouter } from 'hono/router/trie-router';

export type RouteRow = (typeof routes)[number];

export type RouteMatch =
  | { readonly kind: 'found'; readonly route: RouteRow; readonly parameters: Readonly<Record<string, string>> }
  /** The path is known, by other methods. */
  | { readonly kind: 'method_not_allowed'; readonly allow: string }
  | { readonly kind: 'unknown' };

export type Router = (method: string, path: string) => RouteMatch;

/** `{name}` of the route table as the router writes it. */
const pattern = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** A parameter's text as it stands in the path: the match refers to the router's stash by number, or holds the text. */
const textAt = (stash: readonly string[] | undefined, place: string | number): string =>
  typeof place === 'number' ? (stash?.[place] ?? '') : place;

const decode = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};

const methods: readonly string[] = [...new Set(routes.map((route) => route.method))];

/** Builds the router from the route table; the paths it is asked for are below the base path. */
export const createRouter = (): Router => {
  const router = new SmartRouter<RouteRow>({ routers: [new RegExpRouter(), new TrieRouter()] });
  for (const route of routes) router.add(route.method, pattern(route.path), route);
  const find = (method: string, path: string): Extract<RouteMatch, { kind: 'found' }> | null => {
    const [matches, stash] = router.match(method, path);
    const match = matches[0];
    if (match === undefined) return null;
    const parameters: Record<string, string> = {};
    for (const [name, place] of Object.entries<string | number>(match[1])) {
      const text = decode(textAt(stash, place));
      if (text === null) return null;
      parameters[name] = text;
    }
    return { kind: 'found', route: match[0], parameters };
  };
  return (method, path) => {
    const found = find(method, path);
    if (found !== null) return found;
    const allow = methods.filter((other) => find(other, path) !== null);
    return allow.length > 0 ? { kind: 'method_not_allowed', allow: allow.join(', ') } : { kind: 'unknown' };
  };
};
