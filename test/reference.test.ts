// The reference is made from the code and from what a gateway returns: its pages are fresh, and each example runs in every form.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { compileFunction } from 'node:vm';
import { basePath, routes } from '@tollgate/contract';
import { expect, test } from 'vitest';
import * as openai from '../docs/snippets/reference-openai.ts';
import { readDeclarations } from '../scripts/reference/declarations.ts';
import { interfacePages } from '../scripts/reference/interface-pages.ts';
import { routePages } from '../scripts/reference/route-pages.ts';
import { openExampleGateway, runExamples, type Send } from '../scripts/reference/run-examples.ts';
import { fetchOf } from '../scripts/reference/snippets.ts';
import { referencePages, sendByCurl } from '../scripts/reference/pages.ts';

const onDisk = (name: string): string => readFileSync(new URL(`../docs/reference/${name}`, import.meta.url), 'utf8');

test('the pages are what `npm run reference` writes, from each command of curl', async () => {
  const pages = await referencePages();
  expect(pages.size).toBe(routePages.length + interfacePages.length + 2);
  for (const [name, text] of pages) expect(onDisk(name), name).toBe(text);
});

test('every route of the contract stands on one page', () => {
  expect(routePages.flatMap((page) => page.routes).toSorted()).toEqual(routes.map(({ id }) => id).toSorted());
});

test('every option, function and member of an adapter says what it means', () => {
  const silent = interfacePages.flatMap((page) =>
    page.sections.flatMap(({ interfaces }) =>
      interfaces.flatMap((name) =>
        (readDeclarations(page.packages).get(name)?.members ?? []).flatMap((member) =>
          member.doc === '' ? [`${page.name}: ${name}.${member.name}`] : [],
        ),
      ),
    ),
  );
  expect(silent).toEqual([]);
});

test('no docstring of the packages holds the id of a requirement or of a decision', () => {
  const root = path.resolve(import.meta.dirname, '../packages');
  const id = /[[(, ](?:[a-z][\w-]*:[a-z][\w-]*:[a-z][\w-]*|G\d+)(?=[\]), ])/u;
  const files = globSync('*/src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts', '**/*-cases.ts'] });
  const held = files.flatMap((file) => {
    const docs = readFileSync(path.join(root, file), 'utf8').match(/\/\*\*(?:(?!\*\/).)*\*\//gsu) ?? [];
    return docs.flatMap((doc) => (id.test(doc) ? [`${file}: ${id.exec(doc)?.[0]}`] : []));
  });
  expect(files.length).toBeGreaterThan(500);
  expect(held).toEqual([]);
});

test('the page of the administration has every function that a gateway has', async () => {
  const { gateway } = await openExampleGateway();
  const text = onDisk('administration-functions.md');
  for (const name of Object.keys(gateway.admin)) expect(text).toContain(`### ${name} {#`);
  await gateway.close();
});

/** Runs the program of an example and returns the response that it got. */
const sendByFetch: Send = async (ask, { gateway, base }, key) => {
  const got: Response[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const response = await gateway.fetch(new Request(url, init));
    got.push(response.clone());
    return response;
  };
  const program = compileFunction(`return (async () => {\n${fetchOf(ask)}\nreturn result;\n})();`, [
    'fetch',
    'BASE',
    'KEY',
  ]);
  const result: unknown = await Reflect.apply(program, undefined, [fetch, base, key]);
  expect(result, ask.path).toBeTruthy();
  const [response] = got;
  if (response === undefined) throw new Error(`no request was sent for ${ask.path}`);
  return response;
};

test('the program of each example gets the same response as its command of curl', async () => {
  const worlds = [await openExampleGateway(), await openExampleGateway()] as const;
  const byCurl = await runExamples(worlds[0], sendByCurl);
  const byFetch = await runExamples(worlds[1], sendByFetch);
  const secret = /whsec_[\w-]+|"access_key":"\w+"/gu;
  const plain = (examples: typeof byCurl) => examples.map((one) => ({ ...one, body: one.body.replaceAll(secret, '') }));
  expect(plain(byFetch)).toEqual(plain(byCurl));
  expect(byCurl.map(({ route }) => route).toSorted()).toEqual(routes.map(({ id }) => id).toSorted());
  for (const { gateway } of worlds) await gateway.close();
});

test('the calls of the `openai` package run', async () => {
  const world = await openExampleGateway({ compatibility: { openai: true } });
  const handle = world.gateway.fetch;
  const client = openai.createClient(`https://host.example${basePath}`, await world.keyOf(undefined)).withOptions({
    fetch: (url, init) => handle(new Request(url, init)),
  });
  expect((await openai.listModels(client)).length).toBeGreaterThan(10);
  expect((await openai.getModel(client)).id).toBe('flash-3.8');
  expect((await openai.createChatCompletion(client)).choices[0]?.message.content).toContain(
    'When does the ferry leave?',
  );
  expect((await openai.createEmbeddings(client)).data[0]?.embedding).toHaveLength(256);
  const file = await openai.createFile(client);
  expect((await openai.listFiles(client)).map(({ id }) => id)).toEqual([file.id]);
  expect((await openai.getFile(client, file.id)).filename).toBe('timetable.txt');
  expect((await openai.deleteFile(client, file.id)).deleted).toBe(true);
  const video = await openai.createVideo(client);
  await world.work();
  expect((await openai.getVideo(client, video.id)).status).toBe('completed');
  expect((await openai.getVideoContent(client, video.id)).length).toBeGreaterThan(1000);
  expect((await openai.deleteVideo(client, video.id)).deleted).toBe(true);
  const store = await openai.createStore(client.withOptions({ apiKey: await world.keyOf('flash-3.8') }));
  expect(store.name).toBe('Timetables');
  await world.gateway.close();
});
