import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import type { RuleId } from '../rules/rules.ts';
import { generatePath } from './ask-each.ts';
import { contents, hello, identified } from './bodies.ts';
import { hidden, isListedNowhere, made, rule, unchanged } from './isolation-ask.ts';
import { finished } from './made-resource.ts';

const used: RuleId = 'caches:use:other-project';

export const isolationCases: readonly ConformanceCase[] = [
  conformanceCase(
    'hides requests from other projects',
    { charges: 1, rules: [rule, 'requests:get:isolated'], needs: ['chat', 'other'] },
    async (kit) => {
      const id = kit
        .taken(rule, await kit.chat())
        .at(kit.brand, 'request_id')
        .text();
      await hidden(kit, `/requests/${id}`, ['GET']);
      const { status } = await kit.send({ path: `/requests/${id}`, by: 'other' });
      kit.same('requests:get:isolated', status, 404, 'the status of a request of another project');
    },
  ),
  conformanceCase('hides files from other projects', { rules: [rule], needs: ['chat', 'other'] }, async (kit) => {
    const data = Buffer.from('Seen by one project.').toString('base64');
    const id = await made(
      kit,
      { path: '/files', body: { display_name: 'own.txt', mime_type: 'text/plain', data } },
      201,
    );
    await hidden(kit, `/files/${id}`, ['GET', 'DELETE']);
    await isListedNowhere(kit, '/files', id);
    await kit.send({ method: 'DELETE', path: `/files/${id}` });
  }),
  conformanceCase(
    'hides stores, agents and environments from other projects',
    { rules: [rule], needs: ['chat', 'other'] },
    async (kit) => {
      for (const [path, body] of [
        ['/stores', {}],
        ['/agents', { system_instruction: 'Be brief.' }],
        ['/environments', {}],
      ] as const) {
        const id = await made(kit, { path, body });
        await hidden(kit, `${path}/${id}`, ['GET', 'DELETE']);
        if (path === '/environments') await hidden(kit, `${path}/${id}/files`, ['GET']);
        await isListedNowhere(kit, path, id);
        const { status } = await kit.send({ method: 'DELETE', path: `${path}/${id}` });
        kit.same(rule, status, 200, 'the status of DELETE by the project that it belongs to');
      }
    },
  ),
  conformanceCase(
    'hides interactions and batches from other projects',
    { rules: [rule], needs: ['chat', 'other'] },
    async (kit) => {
      const interaction = await made(kit, { path: '/interactions', body: kit.body('chat', { input: 'Hello' }) });
      const batch = await made(kit, {
        path: '/batches',
        body: { requests: [{ key: 'a', request: contents('Hello') }] },
      });
      for (const path of [`/interactions/${interaction}`, `/batches/${batch}`]) {
        await hidden(kit, path, ['GET', 'DELETE']);
        await hidden(kit, `${path}/cancel`, ['POST']);
      }
      await hidden(kit, `/interactions/${interaction}/content`, ['GET']);
      await isListedNowhere(kit, '/interactions', interaction);
      await isListedNowhere(kit, '/batches', batch);
    },
  ),
  conformanceCase(
    'hides caches from other projects',
    { rules: [rule, used], needs: ['chat', 'other'] },
    async (kit) => {
      const text = 'The harbour has seven cranes. '.repeat(400);
      const body = { ttl_seconds: 60, contents: [{ parts: [{ text }] }] };
      const id = (await finished(kit, rule, { path: '/caches', body })).at('id').text();
      await hidden(kit, `/caches/${id}`, ['GET', 'DELETE']);
      await isListedNowhere(kit, '/caches', id);
      await unchanged(kit, `/caches/${id}`, { ttl_seconds: 600 });
      const path = generatePath(kit).replace(kit.model('chat'), kit.model('other'));
      const foreign = await kit.send({
        path,
        by: 'other',
        body: contents('How many?', { cachedContent: `caches/${id}` }),
      });
      kit.holds(
        used,
        foreign.status === 404 || foreign.json.at('error', 'code').value === 'model_incompatible',
        `the status is ${foreign.status}`,
      );
      await kit.send({ method: 'DELETE', path: `/caches/${id}` });
    },
  ),
  conformanceCase(
    'runs the same identity of another project on its own',
    { charges: 2, rules: ['idempotency:scope:project'], needs: ['chat', 'other'] },
    async (kit) => {
      const identity = identified(kit.fresh('project'));
      const body = JSON.stringify({ ...hello, model: `${kit.brand}-auto` });
      const first = await kit.chat(body, identity);
      const own = await kit.chat(body, { ...identity, by: 'other' });
      if (own.status === 422) return;
      kit.taken('idempotency:scope:project', own);
      kit.holds(
        'idempotency:scope:project',
        own.headers.get('idempotency-replayed') !== 'true',
        'another project gets a replay',
      );
      kit.holds(
        'idempotency:scope:project',
        own.json.at(kit.brand, 'request_id').value !== first.json.at(kit.brand, 'request_id').value,
        'one operation for two projects',
      );
    },
  ),
  conformanceCase(
    'draws on one wallet and tells each project its own id',
    { charges: 2, rules: ['auth:key:account-and-project'], needs: ['chat', 'other'] },
    async (kit) => {
      const own = kit.taken('auth:key:account-and-project', await kit.chat());
      const other = await kit.chat(JSON.stringify(hello), { by: 'other' });
      if (other.status === 200)
        kit.holds(
          'auth:key:account-and-project',
          own.at(kit.brand, 'project_id').value !== other.json.at(kit.brand, 'project_id').value,
          'two projects have one id',
        );
    },
  ),
];
