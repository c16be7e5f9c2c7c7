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

/** The methods that a row is found by: who may download something may ask for its headers only. */
const methodsOf = (route: RouteRow): readonly string[] =>
  'answersHead' in route ? [route.method, 'HEAD'] : [route.method];

const methods: readonly string[] = [...new Set(routes.flatMap(methodsOf))];

/** What follows a colon in the last segment: `generateContent` of `/models/{model}:generateContent`; empty for most routes. */
const verbOf = (path: string): string => /\}:(\w+)$/.exec(path)?.[1] ?? '';

const withoutVerb = (path: string, verb: string): string => (verb === '' ? path : path.slice(0, -verb.length - 1));

type VerbRouter = SmartRouter<RouteRow>;

/** A router for each verb, since no router takes a parameter and a word in one segment. */
const createVerbRouters = (): ReadonlyMap<string, VerbRouter> => {
  const routers = new Map<string, VerbRouter>();
  for (const route of routes) {
    const verb = verbOf(route.path);
    const router = routers.get(verb) ?? new SmartRouter<RouteRow>({ routers: [new RegExpRouter(), new TrieRouter()] });
    routers.set(verb, router);
    for (const method of methodsOf(route)) router.add(method, pattern(withoutVerb(route.path, verb)), route);
  }
  return routers;
};

/** Clients may percent-encode the colon. */
const verbInPath = /^(.+)(?::|%3[aA])(\w+)$/;

const found = (
  router: VerbRouter | undefined,
  method: string,
  path: string,
): Extract<RouteMatch, { kind: 'found' }> | null => {
  const [matches, stash] = router?.match(method, path) ?? [[]];
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

/** Builds the router from the route table; the paths it is asked for are below the base path. */
export const createRouter = (): Router => {
  const routers = createVerbRouters();
  return (method, path) => {
    const [, before = '', verb = ''] = verbInPath.exec(path) ?? [];
    const known = verb !== '' && routers.has(verb);
    const router = routers.get(known ? verb : '');
    const find = (other: string) => found(router, other, known ? before : path);
    const match = find(method);
    if (match !== null) return match;
    const allow = methods.filter((other) => find(other) !== null);
    return allow.length > 0 ? { kind: 'method_not_allowed', allow: allow.join(', ') } : { kind: 'unknown' };
  };
};
