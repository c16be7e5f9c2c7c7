// Writes the page that lists every route.
import { table } from './markdown.ts';
import { anchorOf, routeOf } from './route-page.ts';
import { routePages } from './route-pages.ts';

const rows = routePages.flatMap(({ name, routes }) =>
  routes.map((id) => {
    const { method, path, summary, charged } = routeOf(id);
    return [`\`${method}\``, `[\`${path}\`](./${name}.md#${anchorOf(id)})`, summary, charged ? 'yes' : 'no'];
  }),
);

export const indexPage = (): string =>
  [
    '# Routes: reference',
    '',
    'Every route of the gateway, from the table by which it routes. The examples of the pages were sent to a gateway with the [sandbox](../../adapters/sandbox.md), and their responses are what came back.',
    '',
    '## Before you begin',
    '',
    'The examples take the address of the gateway and a key from two variables. [Get started](../../get-started.md) starts a gateway and prints both.',
    '',
    '```sh',
    'BASE=http://127.0.0.1:8787/api/v1/ai',
    'KEY=tg_…',
    '```',
    '',
    'A program in JavaScript has them as `const BASE` and `const KEY`. Examples with the `openai` package begin with this client:',
    '',
    '<<< ../../snippets/reference-openai.ts#client',
    '',
    'Examples whose body has no `model` need a key that is bound to one. The ids of the examples are of records that earlier examples made: put your own there.',
    '',
    'A response has `X-Request-Id`, the id of the operation. [Errors](../errors.md) have one form on every route. The [OpenAPI document](../openapi.md) describes all of this for programs.',
    '',
    '## Every route {#all}',
    '',
    ...table(['method', 'path', 'what it does', 'charged'], rows),
  ].join('\n');
