import { NotExecuted } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { createDocumentWorld, type EmbedStep } from '../../../test/document-world.ts';
import { deleteResource } from '../delete-resource.ts';
import { sweep } from '../../../test/process-parts.ts';

const ships = 'Ships wait at anchor.';
const bread = 'Bread rises overnight in a warm kitchen.';
const day = 24 * 3_600_000;

test('indexes a document, charges what was embedded, and finds it once it is completed [documents:index:search-after-completion]', async () => {
  const world = await createDocumentWorld();
  const store = await world.createStore();
  const id = await world.index(store, ships);
  expect(await world.search([store], 'ships at anchor')).toEqual([]);
  await world.index(store, bread);
  await world.work();
  const { operation, resource, result } = await world.find('document', id);
  expect(operation).toMatchObject({ state: 'completed', chargedMicros: 4n, holdMicros: 0n });
  expect(operation.usage).toEqual([{ unit: 'indexing_tokens', quantity: 4 }]);
  expect(JSON.parse(result ?? '')).toEqual({ chunk_count: 1 });
  const [first] = await world.search([store], 'where do ships wait');
  expect(first).toMatchObject({ documentId: id, storeId: store, fileName: 'f1', page: null, text: ships });
  expect(first?.fileId).toBe((resource.publicFields as { readonly file: string }).file);
  expect(await world.reserved()).toBe(0n);
});

test('counts the documents of a store, whatever happens at once [stores:record:document-count]', async () => {
  const world = await createDocumentWorld();
  const store = await world.createStore();
  const counted = async () => (await world.find('store', store)).resource.publicFields;
  const ids = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((text) => world.index(store, text)));
  expect(await counted()).toEqual({ document_count: 5 });
  world.scriptEmbeds(() => Promise.reject(new NotExecuted({ reason: 'failed' })));
  await world.work();
  expect(await counted()).toEqual({ document_count: 5 });
  const remove = (id: string) => deleteResource(world.engine, world.projectId, { kind: 'document', id });
  await Promise.all([...ids.slice(0, 3), ...ids.slice(0, 3)].map(remove));
  expect(await counted()).toEqual({ document_count: 2 });
});

test('does not count what the record of a failed document was removed of', async () => {
  const world = await createDocumentWorld();
  const store = await world.createStore();
  world.scriptEmbeds(() => Promise.reject(new NotExecuted({ reason: 'failed' })));
  await world.index(store, ships);
  await world.index(store, bread);
  await world.work();
  await world.clock.advance(91 * day);
  await sweep(world.engine);
  expect((await world.find('store', store)).resource.publicFields).toEqual({ document_count: 1 });
});

test('keeps a completed document and its result until it is deleted, and its chunks as long', async () => {
  const world = await createDocumentWorld();
  const store = await world.createStore();
  const id = await world.index(store, ships);
  await world.work();
  for (let week = 0; week < 15; week += 1) {
    await world.clock.advance(7 * day);
    await sweep(world.engine);
  }
  expect((await world.find('document', id)).result).toBe('{"chunk_count":1}');
  expect(await world.search([store], 'ships')).toHaveLength(1);
  await deleteResource(world.engine, world.projectId, { kind: 'document', id });
  expect(await world.search([store], 'ships')).toEqual([]);
  expect(await world.chunks(store)).toBe(1);
  await sweep(world.engine);
  expect(await world.chunks(store)).toBe(0);
});

test('refuses to delete a store in which a document is being indexed, and takes the documents of a deleted one along [stores:delete:in-use]', async () => {
  const world = await createDocumentWorld();
  const store = await world.createStore();
  const ids = await Promise.all([ships, bread].map((text) => world.index(store, text)));
  const remove = () => deleteResource(world.engine, world.projectId, { kind: 'store', id: store });
  expect((await remove()).kind).toBe('in_use');
  await world.work();
  expect((await remove()).kind).toBe('deleted');
  expect(await world.open(store, ships)).toMatchObject({ kind: 'refused', code: 'not_found' });
  await sweep(world.engine);
  await sweep(world.engine);
  for (const id of ids) expect((await world.find('document', id)).resource.availability).toBe('deleted');
  expect(await world.chunks(store)).toBe(0);
  expect(await world.search([store], 'ships')).toEqual([]);
});

test('embeds a long text call by call, in its own order', async () => {
  const world = await createDocumentWorld({ chunkCharactersMax: 40, overlapCharacters: 10, textsPerCallMax: 3 });
  const store = await world.createStore();
  const id = await world.index(
    store,
    Array.from({ length: 12 }, (_, at) => `Sentence number ${at} is here.`).join(' '),
  );
  await world.work();
  const { operation, result } = await world.find('document', id);
  const { chunk_count: count } = JSON.parse(result ?? '') as { readonly chunk_count: number };
  expect(world.handed.map((texts) => texts.length)).toEqual([
    ...Array.from({ length: Math.floor(count / 3) }, () => 3),
    ...(count % 3 === 0 ? [] : [count % 3]),
  ]);
  expect(await world.chunks(store)).toBe(count);
  expect(operation.chargedMicros).toBe(
    BigInt(world.handed.flat().reduce((sum, text) => sum + text.split(/\s+/).length, 0)),
  );
});

const busy: EmbedStep = () => Promise.reject(new NotExecuted({ reason: 'rate_limited', retryAfterMs: 5_000 }));

test('tries again what was not executed, from where it stands, and gives up after a while', async () => {
  const world = await createDocumentWorld({
    chunkCharactersMax: 40,
    overlapCharacters: 0,
    textsPerCallMax: 1,
    triesMax: 3,
  });
  const store = await world.createStore();
  world.scriptEmbeds(
    (one) => one,
    busy,
    (one) => one,
  );
  const id = await world.index(store, 'One sentence is here at the beginning. Another sentence follows right behind.');
  await world.work();
  expect((await world.find('document', id)).operation.state).toBe('processing');
  await world.clock.advance(5_000);
  await world.work();
  expect((await world.find('document', id)).operation).toMatchObject({ state: 'completed' });
  expect(world.handed.flat().map((text) => text.slice(0, 3))).toEqual(['One', 'Ano', 'Ano']);

  world.scriptEmbeds(busy, busy, busy);
  const hopeless = await world.index(store, ships);
  for (let turn = 0; turn < 3; turn += 1) {
    await world.work();
    await world.clock.advance(5_000);
  }
  const { operation } = await world.find('document', hopeless);
  expect(operation).toMatchObject({ state: 'failed', errorCode: 'service_unavailable', chargedMicros: 0n });
});

test('fails without a charge what is no text, has none, or too much of it', async () => {
  const world = await createDocumentWorld({
    charactersMax: 100,
    chunksMax: 2,
    chunkCharactersMax: 20,
    overlapCharacters: 0,
  });
  const store = await world.createStore();
  const ends = {
    ' \n ': 'unsupported_content',
    ['x'.repeat(101)]: 'input_limit',
    ['word '.repeat(19)]: 'input_limit',
  };
  for (const [text, code] of Object.entries(ends)) {
    const id = await world.index(store, text);
    await world.work();
    expect((await world.find('document', id)).operation).toMatchObject({
      state: 'failed',
      errorCode: code,
      chargedMicros: 0n,
    });
  }
  expect(world.handed).toEqual([]);
  expect(await world.reserved()).toBe(0n);
});

const faultyAnswers: readonly (readonly [string, EmbedStep])[] = [
  ['says nothing of what it used', (one) => ({ ...one, usage: [] })],
  ['answers another number of vectors', (one) => ({ ...one, vectors: [] })],
  ['answers what is no number', (one) => ({ ...one, vectors: [[Number.NaN, 1]] })],
  ['answers a vector without a direction', (one) => ({ ...one, vectors: [[0, 0]] })],
  ['breaks off', () => Promise.reject(new Error('the connection was lost'))],
];

test('reserves what the text costs once it is read, and fails without a charge where that is more than there is', async () => {
  const world = await createDocumentWorld({}, 0n);
  const store = await world.createStore();
  const long = 'word '.repeat(50);
  const id = await world.index(store, long);
  let held = 0n;
  world.scriptEmbeds(async (answer) => {
    held = await world.reserved();
    return answer;
  });
  await world.work();
  expect(held).toBeGreaterThan(60n);
  expect((await world.find('document', id)).operation).toMatchObject({ state: 'completed', chargedMicros: 50n });
  const tooMuch = await world.index(store, long);
  await world.work();
  expect((await world.find('document', tooMuch)).operation).toMatchObject({
    state: 'failed',
    errorCode: 'ai_insufficient_credits',
  });
  expect(world.handed).toHaveLength(1);
  expect(await world.reserved()).toBe(0n);
});

test.each(faultyAnswers)('is uncertain, keeps its hold and shows nothing where the provider %s', async (_, step) => {
  const world = await createDocumentWorld();
  const store = await world.createStore();
  world.scriptEmbeds(step);
  const id = await world.index(store, ships);
  await world.work();
  expect((await world.find('document', id)).operation).toMatchObject({ state: 'uncertain', holdMicros: 20n });
  expect(await world.chunks(store)).toBe(0);
  await world.work();
  expect(world.handed).toHaveLength(1);
});
