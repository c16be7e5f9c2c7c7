import assert from 'node:assert/strict';
import { basePath, routes } from '@tollgate/contract';
import { assertRefused, okJson } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { greeting } from './gateway-world.ts';
import { vendorWords } from './sweep-answer.ts';

/** The contract's own description, its prefix and its words. */
export const versioningCases: readonly GatewayCase[] = [
  gatewayCase('publishes the contract as OpenAPI 3.1.0, version 1.5.0 [versioning:openapi:version]', async (world) => {
    const document = okJson(await world.send({ path: '/openapi.json' }));
    assert.equal(document.at('openapi').value, '3.1.0');
    assert.equal(document.at('info', 'version').value, '1.5.0');
  }),
  gatewayCase('describes every route of the table and no other [versioning:openapi:complete]', async (world) => {
    const document = okJson(await world.send({ path: '/openapi.json' }));
    const described = document
      .at('paths')
      .keys()
      .flatMap((path) =>
        document
          .at('paths', path)
          .keys()
          .map((method) => `${method.toUpperCase()} ${path}`),
      );
    assert.deepEqual(described.toSorted(), routes.map(({ method, path }) => `${method} ${path}`).toSorted());
  }),
  gatewayCase('answers below the prefix and nowhere else [versioning:prefix]', async (world) => {
    assert.equal(basePath, '/api/v1/ai');
    okJson(await world.send({ path: '/models' }));
    assertRefused(await world.send({ path: '/../models' }), 404, 'not_found');
    assertRefused(await world.send({ path: '/../../../models' }), 404, 'not_found');
    assertRefused(await world.send({ path: 'x/models' }), 404, 'not_found');
  }),
  gatewayCase(
    'answers below another prefix where the host chooses one',
    async (world) => {
      okJson(await world.send({ path: '/models' }));
      okJson(await world.chat());
      const document = okJson(await world.send({ path: '/openapi.json' }));
      assert.match(document.at('servers', 0, 'url').text(), /^https?:\/\/[\w.:-]+\/llm$/);
    },
    { basePath: '/llm' },
  ),
  gatewayCase('describes itself without a key, and names where it was asked (G71)', async (world) => {
    const document = okJson(await world.send({ path: '/openapi.json', key: null }));
    assert.equal(document.at('servers').list().length, 1);
    const server = new URL(document.at('servers', 0, 'url').text());
    assert.equal(server.pathname, basePath);
    assert.deepEqual(document.at('paths', '/openapi.json', 'get', 'security').value, []);
    const tls = { 'x-forwarded-proto': 'https' };
    const asked = okJson(await world.send({ path: '/openapi.json', key: null, headers: tls }));
    assert.equal(asked.at('servers', 0, 'url').value, `https://${server.host}${basePath}`);
  }),
  gatewayCase(
    'demands a key for its description where the host says so',
    async (world) => {
      assertRefused(await world.send({ path: '/openapi.json', key: null }), 401, 'invalid_api_key');
      const document = okJson(await world.send({ path: '/openapi.json' }));
      assert.equal(document.at('paths', '/openapi.json', 'get', 'security').value, undefined);
    },
    { openApiNeedsKey: true },
  ),
  gatewayCase(
    "puts the host's word on the wire [versioning:brand:response-key] [versioning:brand:auto-model]",
    async (world) => {
      const answer = okJson(await world.chat({ ...greeting, model: 'acme-auto' }));
      assert.equal(answer.at('acme', 'project_id').value, world.projectId);
      assert.equal(answer.at('service').value, undefined);
      assert.equal(okJson(await world.send({ path: '/models/acme-auto' })).at('id').value, 'acme-auto');
      assertRefused(await world.chat({ ...greeting, model: 'service-auto' }), 422, 'model_key_mismatch');
      assert.ok((await world.chat({ ...greeting, stream: true })).text.includes('"acme":{"request_id"'));
    },
    { brand: 'acme' },
  ),
  gatewayCase('sends its description once to a client that keeps it, and anew under another address', async (world) => {
    const first = await world.send({ path: '/openapi.json', key: null });
    const etag = first.headers.get('etag') ?? '';
    assert.match(etag, /^W\/"[^"]+"$/);
    const ask = (tag: string, more: Readonly<Record<string, string>> = {}) =>
      world.send({ path: '/openapi.json', key: null, headers: { 'if-none-match': tag, ...more } });
    for (const tag of [etag, etag.slice(2), `"other", ${etag}`]) {
      const again = await ask(tag);
      assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag]);
    }
    assert.equal((await ask('"other"')).text, first.text);
    const elsewhere = await ask(etag, { 'x-forwarded-proto': 'https' });
    assert.equal(okJson(elsewhere).at('servers', 0, 'url').text().startsWith('https://'), true);
  }),
  gatewayCase('names no vendor in anything it says [versioning:neutral-names]', async (world) => {
    // Each answer of the suite is swept for the words; these three say the most.
    const answers = [
      await world.send({ path: '/models' }),
      await world.send({ path: '/openapi.json' }),
      await world.chat({ ...greeting, unknown: 1 }),
    ];
    for (const { text } of answers) assert.ok(!vendorWords.test(text));
  }),
  gatewayCase('works for clients that send supported fields and the automatic model', async (world) => {
    const { key } = await world.createCaller({ projectId: world.projectId, model: null });
    const answer = okJson(await world.chat({ ...greeting, model: 'service-auto', temperature: 1 }, { key }));
    assert.equal(answer.at('choices', 0, 'message', 'content').value, 'Scripted answer.');
  }),
];
