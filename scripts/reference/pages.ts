// All pages of the reference that are made from the code, by their place below `docs/reference`.
import { readFile } from 'node:fs/promises';
import { createOpenApi } from '@tollgate/contract/openapi';
import { errorsPage } from './errors-page.ts';
import { indexPage } from './index-page.ts';
import { readDeclarations } from './declarations.ts';
import { interfacePage } from './interface-page.ts';
import { interfacePages } from './interface-pages.ts';
import { asRecord } from './json-object.ts';
import { readCurl } from './read-curl.ts';
import { routePage } from './route-page.ts';
import { routePages } from './route-pages.ts';
import { openExampleGateway, runExamples, type Send } from './run-examples.ts';
import { curlOf } from './snippets.ts';

/** Sends an example as its command of curl asks for it, without a process and a socket. */
export const sendByCurl: Send = (ask, { gateway, base }, key) => {
  const { url, method, headers, body } = readCurl(curlOf(ask), { BASE: base, KEY: key });
  const request = new Request(url, { method, ...(body !== undefined && { body }) });
  for (const [name, value] of headers) request.headers.set(name, value);
  return gateway.fetch(request);
};

const openaiSnippets = new URL('../../docs/snippets/reference-openai.ts', import.meta.url);

export const referencePages = async (): Promise<ReadonlyMap<string, string>> => {
  const world = await openExampleGateway();
  const examples = await runExamples(world, sendByCurl);
  await world.gateway.close();
  const snippets = await readFile(openaiSnippets, 'utf8');
  const openaiRegions = new Set(Array.from(snippets.matchAll(/\/\/ #region (\w+)/gu), ([, region = '']) => region));
  const document = asRecord(JSON.parse(JSON.stringify(createOpenApi({ brand: 'service' }))));
  return new Map([
    ['routes/index.md', indexPage()],
    ['errors.md', errorsPage()],
    ...interfacePages.map((page) => [`${page.name}.md`, interfacePage(page, readDeclarations(page.packages))] as const),
    ...routePages.map(
      (page) => [`routes/${page.name}.md`, routePage(page, { document, examples, openaiRegions })] as const,
    ),
  ]);
};
