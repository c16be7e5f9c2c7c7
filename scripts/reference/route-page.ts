// Writes the page of some routes.
import { errorTable, routes, type Route } from '@tollgate/contract';
import { fieldTables, refOf, type FieldTable, type LinkOf } from './field-tables.ts';
import { asRecord, recordAt, recordsIn, textIn, type JsonObject } from './json-object.ts';
import { code, table } from './markdown.ts';
import { ownCodesOf, retryOf, sectionOf } from './route-errors.ts';
import { routePages, type RoutePage } from './route-pages.ts';
import type { Example } from './run-examples.ts';
import { shownResponse } from './shown-response.ts';

/** What a page is made from. */
export interface PageSources {
  readonly document: JsonObject;
  readonly examples: readonly Example[];
  /** The routes for which the file of snippets has a call of the `openai` package. */
  readonly openaiRegions: ReadonlySet<string>;
}

export const routeOf = (id: string): Route => {
  const route = routes.find((one) => one.id === id);
  if (route === undefined) throw new Error(`no route ${id}`);
  return route;
};

const operationOf = (document: JsonObject, { path, method }: Route): JsonObject =>
  recordAt(document, 'paths', path, method.toLowerCase());

const bodySchema = (operation: JsonObject): JsonObject =>
  recordAt(operation, 'requestBody', 'content', 'application/json', 'schema');

const answerSchema = (operation: JsonObject, { statuses }: Route): JsonObject =>
  recordAt(operation, 'responses', String(statuses[0]), 'content', 'application/json', 'schema');

/** The schemas that responses of the routes refer to, and those that these refer to. */
const objectsOn = (document: JsonObject, page: RoutePage): readonly string[] => {
  const found = new Set<string>();
  const follow = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const ref = refOf(asRecord(node));
    if (ref !== undefined && !found.has(ref)) {
      found.add(ref);
      follow(recordAt(document, 'components', 'schemas', ref));
    }
    Object.values(node).forEach(follow);
  };
  for (const id of page.routes) follow(answerSchema(operationOf(document, routeOf(id)), routeOf(id)));
  return [...found];
};

/** On which page, and there where, a schema is described: with the routes that return or take it. */
const homeOf = (document: JsonObject, schema: string): string | undefined => {
  const takes = (id: string): boolean => refOf(bodySchema(operationOf(document, routeOf(id)))) === schema;
  for (const page of routePages) {
    if (objectsOn(document, page).includes(schema)) return `${page.name}.md#object-${schema.toLowerCase()}`;
    const taking = page.routes.find(takes);
    if (taking !== undefined) return `${page.name}.md#${anchorOf(taking)}`;
  }
  return undefined;
};

export const anchorOf = (route: string): string => route.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);

const linker =
  (document: JsonObject, page: RoutePage): LinkOf =>
  (schema) => {
    const home = homeOf(document, schema);
    if (home === undefined) return schema;
    return `[${schema}](${home.startsWith(`${page.name}.md`) ? home.slice(home.indexOf('#')) : `./${home}`})`;
  };

/** A form that has nothing but the field that tells it. */
const isBare = ({ heading, rows: [first, ...others] }: FieldTable): boolean =>
  heading !== '' && first !== undefined && others.length === 0 && first.type.startsWith('`');

/** Above the fields of one form of a field. */
const headingOf = ({ heading, rows }: FieldTable): readonly string[] =>
  heading === '' ? [] : [isBare({ heading, rows }) ? `${heading} has no other field.` : `${heading}:`, ''];

const requestTable = ({ heading, rows }: FieldTable): readonly string[] => [
  ...headingOf({ heading, rows }),
  ...table(
    ['field', 'type', 'required', 'limits', 'meaning'],
    (isBare({ heading, rows }) ? [] : rows).map(({ name, type, isRequired, limits, meaning }) => [
      `\`${name}\``,
      type,
      isRequired ? 'yes' : 'no',
      limits,
      meaning,
    ]),
  ),
];

const responseTable = ({ heading, rows }: FieldTable): readonly string[] => [
  ...headingOf({ heading, rows }),
  ...table(
    ['field', 'type', 'meaning'],
    (isBare({ heading, rows }) ? [] : rows).map(({ name, type, isRequired, meaning }) => [
      `\`${name}\``,
      isRequired ? type : `${type}; may be absent`,
      meaning,
    ]),
  ),
];

const bytes = (count: number): string => `${count.toLocaleString('en-US')} bytes`;

const factsOf = (route: Route): readonly string[] => [
  route.charged ? 'A call is charged.' : 'A call costs nothing.',
  ...(route.takesIdentity ? ['It takes an [`Idempotency-Key`](../../concepts/identity.md).'] : []),
  ...(route.bodyBytesMax === null ? [] : [`The body has at most ${bytes(route.bodyBytesMax)}.`]),
  ...(route.isPublic === true ? ['It needs no key, unless the host demands one.'] : []),
  ...(route.answersHead === true ? ['`HEAD` returns the headers alone.'] : []),
];

const snippets = (route: Route, example: Example, regions: ReadonlySet<string>): readonly string[] => [
  '::: code-group',
  '',
  ...code('sh', example.curl, 'curl'),
  ...code('js', example.fetch, 'fetch'),
  ...(regions.has(route.id) ? [`<<< ../../snippets/reference-openai.ts#${route.id}{ts} [openai]`, ''] : []),
  ':::',
  '',
];

const parameterTable = (operation: JsonObject, place: string): readonly string[] => {
  const parameters = recordsIn(operation, 'parameters').filter((parameter) => parameter['in'] === place);
  const properties = Object.fromEntries(
    parameters.map((parameter) => [
      textIn(parameter, 'name') ?? '',
      { description: textIn(parameter, 'description') ?? '', ...asRecord(parameter['schema']) },
    ]),
  );
  const required = parameters.filter((parameter) => parameter['required'] === true).map((one) => textIn(one, 'name'));
  const tables = fieldTables({ properties, required }, (ref) => ref);
  return parameters.length === 0 ? [] : tables.flatMap(requestTable);
};

const errorRows = (route: Route): readonly string[] => {
  const rows = ownCodesOf(route).map((errorCode) => [
    String(errorTable[errorCode].status),
    `[\`${errorCode}\`](../../troubleshooting.md#${sectionOf(errorCode)})`,
    errorTable[errorCode].message,
    retryOf(errorCode),
  ]);
  const common = 'The [errors of every route](../errors.md#every-route).';
  return [
    '### Errors',
    '',
    rows.length === 0 ? common : `${common} And these:`,
    '',
    ...table(['status', 'code', 'when', 'repeat'], rows),
  ];
};

/** Headings of routes stand in the outline of the page; those within a route do not need to be found by a link. */
const routeSection = (id: string, page: RoutePage, sources: PageSources): readonly string[] => {
  const route = routeOf(id);
  const operation = operationOf(sources.document, route);
  const example = sources.examples.find((one) => one.route === id);
  if (example === undefined) throw new Error(`no example of ${id}`);
  const linkOf = linker(sources.document, page);
  const body = bodySchema(operation);
  const ref = refOf(body);
  const schema = ref === undefined ? body : recordAt(sources.document, 'components', 'schemas', ref);
  const parameters = parameterTable(operation, 'query');
  const answer = refOf(answerSchema(operation, route));
  return [
    `## ${route.summary} {#${anchorOf(id)}}`,
    '',
    `\`${route.method} ${route.path}\``,
    '',
    factsOf(route).join(' '),
    '',
    ...snippets(route, example, sources.openaiRegions),
    ...(parameters.length === 0 ? [] : ['### Query', '', ...parameters]),
    ...(route.request === null ? [] : ['### Body', '', ...fieldTables(schema, linkOf).flatMap(requestTable)]),
    '### Response',
    '',
    `\`${example.status}\`. ${route.success.description}${answer === undefined ? '' : ` Its form is ${linkOf(answer)}.`}`,
    '',
    ...shownResponse(example),
    ...errorRows(route),
  ];
};

const objectSection = (schema: string, page: RoutePage, { document }: PageSources): readonly string[] => [
  `### ${schema} {#object-${schema.toLowerCase()}}`,
  '',
  ...fieldTables(recordAt(document, 'components', 'schemas', schema), linker(document, page)).flatMap(responseTable),
];

/** The text of one page. */
export const routePage = (page: RoutePage, sources: PageSources): string => {
  const objects = objectsOn(sources.document, page).filter((schema) =>
    homeOf(sources.document, schema)?.startsWith(`${page.name}.md#object`),
  );
  return [
    `# ${page.title}: reference`,
    '',
    `${page.routes.map((id) => routeOf(id).summary).join('. ')}.`,
    '',
    `[The guide](../../${page.guide}.md) explains these routes. [Before you begin](./index.md) says what \`BASE\` and \`KEY\` are.`,
    '',
    ...page.routes.flatMap((id) => routeSection(id, page, sources)),
    ...(objects.length === 0 ? [] : ['## Objects', '']),
    ...objects.flatMap((schema) => objectSection(schema, page, sources)),
  ]
    .join('\n')
    .replace(/\n+$/u, '\n');
};
