// Every curl of every page is run, in the order of the page, against a gateway with everything that pages describe.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { writtenPages } from '../../docs/.vitepress/open-search.ts';
import { basePath, furnish, openCurlWorld, origin, secret, session, type CurlWorld } from './curl-world.ts';
import { curlsOf, readCurl, type CurlCall } from './read-curls.ts';
import { scenes, textAt, type Ask, type Scene } from './scenes.ts';

const docs = path.resolve(import.meta.dirname, '../../docs');
const root = path.resolve(docs, '..');

/** Pages whose commands other tests run, each with the test and what it must contain. */
const ranElsewhere: Readonly<Record<string, readonly [file: string, text: string]>> = {
  'payments.md': ['test/payments-snippet.test.ts', 'fetch(`${url}/stripe`'],
  // In a worker of its own, with the secret of the operator.
  'hosts/workers.md': ['scripts/check-hosts.ts', '${origin}/first-key'],
  'reference/': ['test/reference.test.ts', 'from each command of curl'],
};

/** Pages whose commands ask other products, which a test cannot run. */
const ofOthers: Readonly<Record<string, string>> = {
  'migrating/litellm.md': 'LITELLM',
  'migrating/openrouter.md': 'https://openrouter.ai/',
  'migrating/portkey.md': 'https://api.portkey.ai/',
};

const isElsewhere = (page: string): boolean =>
  page in ofOthers || Object.keys(ranElsewhere).some((start) => page.startsWith(start));

const textOf = (page: string): string => readFileSync(path.join(docs, page), 'utf8');
const pages = writtenPages.filter((page) => !page.startsWith('decisions/') && /\bcurl /u.test(textOf(page)));
const commands = pages.flatMap((page) => curlsOf(textOf(page)).map((command) => ({ page, command })));
const run = pages.filter((page) => !isElsewhere(page) && curlsOf(textOf(page)).length > 0);

type Files = Map<string, Uint8Array<ArrayBuffer>>;

const bytesOf = (content: string | Uint8Array): Uint8Array<ArrayBuffer> =>
  typeof content === 'string' ? new TextEncoder().encode(content) : Uint8Array.from(content);

const bodyOf = (call: CurlCall, files: Files): FormData | string | undefined => {
  if (call.form.length === 0) return call.data ?? undefined;
  const form = new FormData();
  for (const [name, value] of call.form) {
    const file = files.get(value.slice(1));
    if (value.startsWith('@') && file === undefined) throw new Error(`there is no file ${value}`);
    if (value.startsWith('@')) form.set(name, new Blob([file ?? new Uint8Array()]), value.slice(1));
    else form.set(name, value);
  }
  return form;
};

/** Addresses of a reader's own host are those of the gateway of the test. */
const addressOf = (url: string): string =>
  url.replace(/^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|[\w-]+\.example\.com)(?::\d+)?(?=\/)/u, origin);

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const upload = async (world: CurlWorld, text: string): Promise<string> => {
  const form = new FormData();
  form.set('purpose', 'user_data');
  form.set('file', new Blob([text], { type: 'text/plain' }), 'file.txt');
  const headers = { authorization: `Bearer ${world.key}` };
  const response = await world.send(new Request(`${origin}${basePath}/files`, { method: 'POST', headers, body: form }));
  return textAt(await response.json(), 'id');
};

const given = async (page: string, scene: Scene, world: CurlWorld): Promise<Map<string, string>> => {
  const base = `${origin}${basePath}`;
  const values = new Map([
    ['BASE_URL', base],
    ['BASE', page.startsWith('google') ? origin : base],
    ['ORIGIN', origin],
    ['ADMIN', `${origin}/admin`],
    ['KEY', world.key],
    ['SECRET', secret],
    ['SESSION', session],
  ]);
  if (scene.uploads !== undefined) values.set('FILE', await upload(world, scene.uploads));
  for (const [name, content] of Object.entries(scene.files ?? {})) values.set(name, String(content));
  return values;
};

const asking =
  ({ gateway, key, send }: CurlWorld): Ask =>
  async (address) => {
    await gateway.jobs.runDue();
    const headers = new Headers(
      address.startsWith('/v1beta/') ? { 'x-goog-api-key': key } : { authorization: `Bearer ${key}` },
    );
    return (await send(new Request(origin + address, { headers }))).json();
  };

test.each(run)('the commands of the page %s are accepted, one after another', async (page) => {
  const scene = scenes[page] ?? {};
  const world = await openCurlWorld(scene.model);
  const files: Files = new Map(Object.entries(scene.files ?? {}).map(([name, content]) => [name, bytesOf(content)]));
  const values = await given(page, scene, world);
  for (const [place, command] of curlsOf(textOf(page)).entries()) {
    if (scene.furnished === true)
      for (const [name, value] of Object.entries(await furnish(world))) values.set(name, value);
    const call = readCurl(command, (name) => {
      const value = values.get(name);
      if (value === undefined) throw new Error(`${page}: the test gives no value to ${name} of ${command}`);
      return value;
    });
    const body = bodyOf(call, files);
    const response = await world.send(
      new Request(addressOf(call.url), {
        method: call.method,
        headers: call.headers.map(([...pair]) => pair),
        body: body ?? null,
      }),
    );
    const bytes = new Uint8Array(await response.arrayBuffer());
    const text = new TextDecoder().decode(bytes);
    const refused = response.ok ? '' : `${response.status}: ${text}`;
    expect([command, refused]).toEqual([command, '']);
    if (call.output !== null) files.set(call.output, bytes);
    await world.gateway.jobs.runDue();
    const learned = await scene.learn?.(place + 1, parsed(text), asking(world));
    for (const [name, value] of Object.entries(learned ?? {})) values.set(name, value);
  }
  await world.gateway.close({ drainMs: 0 });
});

test('every command is run here or by the test that is named for its page', () => {
  expect(commands.length).toBeGreaterThan(60);
  for (const [start, [file, text]] of Object.entries(ranElsewhere)) {
    expect(pages.some((page) => page.startsWith(start))).toBe(true);
    expect(readFileSync(path.join(root, file), 'utf8')).toContain(text);
  }
  // A command for a gateway does not hide on the page of another product.
  for (const { page, command } of commands) expect(command).toContain(ofOthers[page] ?? '');
  expect(Object.keys(scenes).filter((page) => !run.includes(page))).toEqual([]);
});
