import { createHash } from 'node:crypto';
import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import type { Kit } from '../kit/kit.ts';
import { uuidPattern } from '../kit/vocabulary.ts';
import { requestIdOf } from '../wire/exchange.ts';
import { generate } from './ask-each.ts';
import { directed, ofParts } from './bodies.ts';

const bytes = Buffer.from('The word is heron.');
const upload = (more: object = {}): object => ({
  display_name: 'note.txt',
  mime_type: 'text/plain',
  data: bytes.toString('base64'),
  ...more,
});

const uploaded = async (kit: Kit): Promise<string> => {
  const id = kit
    .taken(kit.rule, await kit.send({ path: '/files', body: upload() }), 201)
    .at('id')
    .text();
  await kit.until({ path: `/files/${id}` }, ({ json }) => json.at('status').value === 'active');
  return id;
};

export const filesCases: readonly ConformanceCase[] = [
  conformanceCase(
    'takes a file and shows its record',
    {
      rules: ['files:upload:created', 'files:record:fields', 'files:record:name', 'files:record:no-upstream'],
    },
    async (kit) => {
      const record = kit.taken('files:upload:created', await kit.send({ path: '/files', body: upload() }), 201);
      const id = record.at('id').text();
      kit.holds('files:record:name', uuidPattern.test(id), 'the id is no uuid');
      kit.fields('files:record:name', record, { name: `files/${id}` });
      kit.fields('files:record:fields', record, {
        object: 'file',
        display_name: 'note.txt',
        mime_type: 'text/plain',
        size_bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        error_code: null,
      });
      const times = ['created_at', 'updated_at'].filter((name) => Number.isNaN(Date.parse(record.at(name).text())));
      kit.same('files:record:fields', times, [], 'fields that are no time');
      const upstream = record.keys().filter((name) => /^(?:uri|upstream|provider)/u.test(name));
      kit.same('files:record:no-upstream', upstream, [], 'names of the upstream');
      await kit.send({ method: 'DELETE', path: `/files/${id}` });
    },
  ),
  conformanceCase(
    'keeps a file for two days, once it is active',
    { rules: ['files:get:refreshes', 'files:record:status', 'files:record:name', 'limits:retention:files'] },
    async (kit) => {
      const record = kit.taken('files:get:refreshes', await kit.send({ path: '/files', body: upload() }), 201);
      const status = record.at('status').text();
      kit.holds('files:record:status', ['processing', 'active'].includes(status), `the status ${status}`);
      const keptMs = Date.parse(record.at('expires_at').text()) - Date.parse(record.at('created_at').text());
      kit.same('limits:retention:files', keptMs, 48 * 3_600_000, 'milliseconds from created_at to expires_at');
      kit.holds('files:record:name', keptMs > 0, 'expires_at is not ahead');
      const path = `/files/${record.at('id').text()}`;
      const read = await kit.until({ path }, ({ json }) => json.at('status').value === 'active');
      kit.same('files:get:refreshes', read.json.at('status').value, 'active', 'status in the end');
      await kit.send({ method: 'DELETE', path });
    },
  ),
  conformanceCase(
    'makes a file of its own of every upload, and lists them',
    { rules: ['files:upload:distinct', 'files:list:envelope', 'limits:list:newest-first'] },
    async (kit) => {
      const [first, second] = [await uploaded(kit), await uploaded(kit)];
      kit.holds('files:upload:distinct', first !== second, 'two uploads of the same bytes are one file');
      const list = kit.taken('files:list:envelope', await kit.send({ path: '/files' }));
      kit.same('files:list:envelope', list.at('object').value, 'list', 'object');
      const ids = list
        .at('data')
        .list()
        .map((file) => file.at('id').value);
      kit.holds(
        'files:list:envelope',
        ids.includes(first) && ids.includes(second),
        'the list lacks a file that was just made',
      );
      kit.holds(
        'limits:list:newest-first',
        ids.indexOf(second) < ids.indexOf(first),
        'the newer file comes after the older one',
      );
      for (const id of [first, second]) await kit.send({ method: 'DELETE', path: `/files/${id}` });
    },
  ),
  conformanceCase(
    'refuses missing and wrong fields',
    { rules: ['files:upload:fields', 'files:upload:base64-no-prefix'] },
    async (kit) => {
      for (const more of [{ data: undefined }, { mime_type: undefined }, { mime_type: 7 }, { data: 7 }])
        kit.refused('files:upload:fields', await kit.send({ path: '/files', body: upload(more) }), 422);
      for (const data of [`data:text/plain;base64,${bytes.toString('base64')}`, '***'])
        kit.refused('files:upload:base64-no-prefix', await kit.send({ path: '/files', body: upload({ data }) }), 422);
    },
  ),
  conformanceCase(
    'takes no body above 29,360,128 bytes and no file above 20,971,520',
    { rules: ['files:upload:max-json', 'files:upload:max-file', 'limits:units:binary'], alone: true },
    async (kit) => {
      const data = Buffer.alloc(20_971_521, 'a').toString('base64');
      kit.refused(
        'files:upload:max-file',
        await kit.send({ path: '/files', body: upload({ data }) }),
        413,
        'body_too_large',
      );
      const frame = JSON.stringify(upload({ display_name: '' })).length;
      const padded = JSON.stringify(upload({ display_name: 'a'.repeat(29_360_129 - frame) }));
      const answer = await kit.send({ path: '/files', body: padded });
      kit.refused('files:upload:max-json', answer, 413, 'body_too_large');
      kit.refused('limits:units:binary', answer, 413, 'body_too_large');
    },
  ),
  conformanceCase(
    'deletes a file once, and keeps what was made of it',
    {
      charges: 1,
      rules: [
        'files:delete:response',
        'files:delete:keeps-results',
        'resources:get:after-delete',
        'resources:delete:repeat',
        'generate:part:file-data',
      ],
    },
    async (kit) => {
      const id = await uploaded(kit);
      const part = { fileData: { fileUri: `files/${id}` } };
      const answer = await generate(kit, ofParts({ text: 'What is the word?' }, part));
      kit.taken('generate:part:file-data', answer);
      const deleted = kit.taken('files:delete:response', await kit.send({ method: 'DELETE', path: `/files/${id}` }));
      kit.same(
        'files:delete:response',
        [deleted.at('id').value, deleted.at('status').value, deleted.at('deleted').value],
        [id, 'deleted', true],
        'id, status and deleted',
      );
      const again = await kit.send({ method: 'DELETE', path: `/files/${id}` });
      kit.same('resources:delete:repeat', again.status, 404, 'the status of a second DELETE');
      const read = kit.taken('resources:get:after-delete', await kit.send({ path: `/files/${id}` }));
      kit.same('resources:get:after-delete', read.at('status').value, 'deleted', 'status after DELETE');
      const list = (await kit.send({ path: '/files' })).json.at('data').list();
      kit.holds(
        'resources:get:after-delete',
        !list.some((file) => file.at('id').value === id),
        'a deleted file is listed',
      );
      kit.refused('resources:get:after-delete', await generate(kit, ofParts(part)), 404, 'not_found');
      const record = kit.taken(
        'files:delete:keeps-results',
        await kit.send({ path: `/requests/${requestIdOf(answer)}` }),
      );
      kit.same(
        'files:delete:keeps-results',
        record.at('response').value,
        answer.json.value,
        'the response of an earlier call',
      );
    },
  ),
  conformanceCase(
    'refuses the use of a file that is still processing',
    {
      rules: ['files:use:must-be-active', 'chat:part:file-state', 'files:list:states-included'],
      needs: ['chat', 'directives'],
    },
    async (kit) => {
      const body = upload({ display_name: directed('processing 1000') });
      const record = kit.taken('files:list:states-included', await kit.send({ path: '/files', body }), 201);
      // Only some upstreams keep files themselves, and only those process them.
      if (record.at('status').value === 'processing') {
        const id = record.at('id').text();
        kit.refused(
          'files:use:must-be-active',
          await generate(kit, ofParts({ fileData: { fileUri: `files/${id}` } })),
          409,
        );
        const list = (await kit.send({ path: '/files' })).json.at('data').list();
        kit.holds(
          'files:list:states-included',
          list.some((file) => file.at('id').value === id),
          'the list lacks a file that is processing',
        );
      }
      await kit.send({ method: 'DELETE', path: `/files/${record.at('id').text()}` });
    },
  ),

  conformanceCase(
    'keeps a file that a running operation uses',
    { charges: 1, rules: ['files:delete:in-use', 'errors:status:409'], needs: ['chat', 'directives'] },
    async (kit) => {
      const id = await uploaded(kit);
      const input = [
        { type: 'text', text: directed('slow 2500') },
        { type: 'document', uri: `files/${id}` },
      ];
      const made = await kit.send({ path: '/interactions', body: kit.body('chat', { input }) });
      kit.taken('files:delete:in-use', made);
      kit.refused('files:delete:in-use', await kit.send({ method: 'DELETE', path: `/files/${id}` }), 409);
      await kit.until(
        { path: `/interactions/${made.json.at('id').text()}` },
        ({ json }) => json.at('status').value === 'completed',
      );
      await kit.send({ method: 'DELETE', path: `/files/${id}` });
    },
  ),
];
