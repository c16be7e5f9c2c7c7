import assert from 'node:assert/strict';
import { okJson, requestIdOf, type Answer } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { askGoogle, assertRefusedField, assertTold, google, strangerOf, type GoogleAsk } from './google-ask.ts';
import { textFileId, workOnDocuments } from './store-ask.ts';
import { suiteModel } from './suite-tariff.ts';
import { sendPiece } from './upload-ask.ts';

const path = '/fileSearchStores';
const ships = 'Ships wait at anchor.';
const uploadCommands = { 'x-goog-upload-protocol': 'resumable' } as const;

const createStore = async (world: GatewayWorld, body: object = {}): Promise<string> =>
  okJson(await askGoogle(world, path, { body }))
    .at('name')
    .text();

const importFile = (world: GatewayWorld, store: string, body: object, more: GoogleAsk = {}): Promise<Answer> =>
  askGoogle(world, `/${store}:importFile`, { ...more, body });

/** Begins an upload to a store, and returns where its bytes go, as a path below the base path. */
const beginUpload = async (
  world: GatewayWorld,
  store: string,
  body: object = {},
  type = 'text/plain',
): Promise<Answer> =>
  world.send({
    path: `/upload/v1beta/${store}:uploadToFileSearchStore`,
    key: null,
    headers: {
      'x-goog-api-key': world.key,
      ...uploadCommands,
      'x-goog-upload-command': 'start',
      'x-goog-upload-header-content-type': type,
    },
    body,
  });

const addressOf = (answer: Answer): string => {
  okJson(answer);
  const { pathname, search } = new URL(answer.headers.get('x-goog-upload-url') ?? '');
  return `${pathname.replace(/^\/api\/v1\/ai/, '')}${search}`;
};

const sendLast = (world: GatewayWorld, address: string): Promise<Answer> =>
  sendPiece(world, address, { command: 'upload, finalize', offset: 0, bytes: new Uint8Array(Buffer.from(ships)) });

const filesOf = async (world: GatewayWorld): Promise<number> =>
  okJson(await askGoogle(world, '/files'))
    .at('files')
    .list().length;

const balanceMicros = async (world: GatewayWorld): Promise<bigint> =>
  (await world.wallet.read(world.accountId)).balanceMicros;

/** Stores and documents in the terms of Google's clients: the same resources, credits and states. */
export const googleFileSearchCases: readonly GatewayCase[] = [
  gatewayCase(
    'google: a file search store is a store of the project, with the files that were imported into it',
    async (world) => {
      const store = await createStore(world, { displayName: 'Harbour' });
      const file = await textFileId(world, ships);
      const begun = okJson(await importFile(world, store, { fileName: `files/${file}` }));
      assert.deepEqual([begun.at('done').value, begun.at('response').value], [false, undefined]);
      await workOnDocuments(world);
      const operation = okJson(await askGoogle(world, `/${begun.at('name').text()}`));
      const document = operation.at('response', 'documentName').text();
      assert.deepEqual([operation.at('done').value, operation.at('response', 'parent').value], [true, store]);
      const record = okJson(await askGoogle(world, `/${document}`));
      assert.deepEqual(
        ['name', 'state', 'sizeBytes', 'mimeType'].map((name) => record.at(name).value),
        [document, 'STATE_ACTIVE', String(ships.length), 'text/plain'],
      );
      assert.deepEqual(okJson(await askGoogle(world, `/${store}/documents`)).at('documents', 0).value, record.value);
      assertTold(await askGoogle(world, `/${store}/operations`), 404, 'NOT_FOUND', 'not_found');
      const shown = okJson(await askGoogle(world, `/${store}`));
      assert.deepEqual(
        ['displayName', 'activeDocumentsCount', 'pendingDocumentsCount', 'sizeBytes'].map(
          (name) => shown.at(name).value,
        ),
        ['Harbour', '1', '0', String(ships.length)],
      );
      const contract = okJson(await world.send({ path: `/stores/${store.replace('fileSearchStores/', '')}` }));
      assert.deepEqual([contract.at('display_name').value, contract.at('document_count').value], ['Harbour', 1]);
      assertTold(await askGoogle(world, `/${store}`, { method: 'DELETE' }), 422, 'INVALID_ARGUMENT', 'invalid_request');
      okJson(await askGoogle(world, `/${document}`, { method: 'DELETE' }));
      assertTold(await askGoogle(world, `/${document}`), 404, 'NOT_FOUND', 'not_found');
      okJson(await askGoogle(world, `/${store}`, { method: 'DELETE' }));
      assertTold(await askGoogle(world, `/${store}`), 404, 'NOT_FOUND', 'not_found');
    },
    google,
  ),
  gatewayCase(
    'google: an import into a store is charged once under its identity, and costs what a document costs',
    async (world) => {
      const store = await createStore(world);
      const id = store.replace('fileSearchStores/', '');
      const file = await textFileId(world, ships);
      const before = await balanceMicros(world);
      const headers = { 'idempotency-key': 'import' };
      const add = () => importFile(world, store, { fileName: `files/${file}` }, { headers });
      const first = await add();
      await workOnDocuments(world);
      const again = await add();
      assert.deepEqual(
        [okJson(again).at('name').value, again.headers.get('idempotency-replayed')],
        [okJson(first).at('name').value, 'true'],
      );
      const charged = before - (await balanceMicros(world));
      assert.ok(charged > 0n);
      okJson(await world.send({ path: '/documents', body: { store: id, file } }));
      await workOnDocuments(world);
      assert.equal(before - (await balanceMicros(world)), 2n * charged);
      assert.equal((await world.record(requestIdOf(first))).at('charged_credits').value, Number(charged) / 1_000_000);
      assert.equal((await world.wallet.read(world.accountId)).reservedMicros, 0n);
    },
    google,
  ),
  gatewayCase(
    'google: an upload to a store makes a file and its document, and the last request sent again finds them',
    async (world) => {
      const store = await createStore(world);
      const address = addressOf(await beginUpload(world, store, { displayName: 'ships.txt' }));
      const last = await sendLast(world, address);
      const again = await sendLast(world, address);
      assert.equal(last.headers.get('x-goog-upload-status'), 'final');
      assert.deepEqual([again.text, again.headers.get('idempotency-replayed')], [last.text, 'true']);
      const name = okJson(last).at('name').text();
      assert.ok(name.startsWith(`${store}/upload/operations/`), name);
      await workOnDocuments(world);
      const operation = okJson(await askGoogle(world, `/${name}`));
      const document = okJson(await askGoogle(world, `/${operation.at('response', 'documentName').text()}`));
      assert.equal(document.at('displayName').value, 'ships.txt');
      assert.equal(await filesOf(world), 1);
      assert.equal(
        okJson(await askGoogle(world, `/${store}/documents`))
          .at('documents')
          .list().length,
        1,
      );
    },
    google,
  ),
  gatewayCase(
    'google: an upload that no document was opened for leaves no file',
    async (world) => {
      const store = await createStore(world);
      const address = addressOf(await beginUpload(world, store));
      okJson(await askGoogle(world, `/${store}`, { method: 'DELETE' }));
      assertTold(await sendLast(world, address), 404, 'NOT_FOUND', 'not_found');
      assert.equal(await filesOf(world), 0);
    },
    google,
  ),
  gatewayCase(
    'google: file search stores refuse by name what they do not hold, and show another project nothing',
    async (world) => {
      const store = await createStore(world);
      const file = await textFileId(world, ships);
      const fileName = `files/${file}`;
      assertRefusedField(await askGoogle(world, path, { body: { embeddingModel: 'models/other' } }), 'embeddingModel');
      assertRefusedField(await askGoogle(world, path, { body: { description: 'x' } }), 'description');
      for (const [field, value] of [
        ['customMetadata', [{ key: 'a', stringValue: 'b' }]],
        ['chunkingConfig', { whiteSpaceConfig: { maxTokensPerChunk: 200 } }],
      ] as const) {
        assertRefusedField(await importFile(world, store, { fileName, [field]: value }), field);
        assertRefusedField(await beginUpload(world, store, { [field]: value }), field);
      }
      assertRefusedField(await importFile(world, store, {}), 'fileName');
      const long = await beginUpload(world, store, {}, `text/${'x'.repeat(255)}`);
      assertTold(long, 422, 'INVALID_ARGUMENT', 'invalid_request');
      const name = okJson(await importFile(world, store, { fileName }))
        .at('name')
        .text();
      await workOnDocuments(world);
      const document = okJson(await askGoogle(world, `/${name}`))
        .at('response', 'documentName')
        .text();
      const credential = await strangerOf(world, suiteModel);
      for (const asked of [store, `${store}/documents`, name, document])
        assertTold(await askGoogle(world, `/${asked}`, { credential }), 404, 'NOT_FOUND', 'not_found');
      const foreign = await importFile(world, store, { fileName }, { credential });
      assertTold(foreign, 404, 'NOT_FOUND', 'not_found');
      assert.deepEqual(okJson(await askGoogle(world, path, { credential })).at('fileSearchStores').value, []);
      const other = await createStore(world);
      const elsewhere = document.replace(store, other);
      assertTold(await askGoogle(world, `/${elsewhere}`), 404, 'NOT_FOUND', 'not_found');
    },
    google,
  ),
];
