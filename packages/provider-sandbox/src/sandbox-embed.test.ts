import {
  isNotExecuted,
  type Attempt,
  type BlobPart,
  type EmbeddingCall,
  type EmbeddingInput,
  type Embeddings,
} from '@tollgate/provider';
import { sampleCaller } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { sandboxProvider } from './sandbox-provider.ts';

const embed = (
  input: EmbeddingInput,
  rest: Partial<EmbeddingCall> = {},
  attempts: Attempt[] = [],
): Promise<Embeddings> =>
  sandboxProvider().embed(
    { operationId: 'operation-1', upstreamModel: 'gemini-embedding-2', input, ...rest },
    {
      caller: sampleCaller,
      signal: new AbortController().signal,
      recordAttempt: (attempt) => void attempts.push(attempt),
    },
  );

const vectorsOf = async (texts: readonly string[], rest: Partial<EmbeddingCall> = {}): Promise<Embeddings['vectors']> =>
  (await embed({ kind: 'texts', texts }, rest)).vectors;

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);

const cosine = (left: readonly number[] = [], right: readonly number[] = []): number => {
  return dot(left, right) / Math.sqrt(dot(left, left) * dot(right, right));
};

// A text, another way to say it, and something else in about the same form.
const triples = [
  ['How do I reset my password?', 'I want to change my forgotten password', 'What time does the shop open?'],
  ['The cat sleeps on the sofa', 'A cat is sleeping on a couch', 'The rocket landed on the moon'],
  ['Boil the potatoes for ten minutes', 'The potatoes should boil ten minutes', 'Paint the fence with two brushes'],
  ['Refunds are paid within 14 days', 'You get your refund in 14 days', 'Parking is free on Sundays'],
  ['The train to Lisbon is delayed', 'A delay of the Lisbon train', 'The soup of today is tomato'],
  ['He plays the guitar in a band', 'She is a guitarist and plays in bands', 'It rains in the mountains'],
  ['Install the printer driver', 'Printer driver installation', 'Water the garden plants'],
  ['The invoice was sent yesterday', 'We sent you the invoices', 'A dolphin swims quickly'],
  ['Databases keep rows in tables', 'A table of the database has rows', 'Bees make honey from flowers'],
  ['Vaccines protect children from measles', 'Children vaccinated against measles', 'The stock exchange fell sharply'],
  ['Qual é o horário da farmácia?', 'Horários das farmácias abertas', 'Quero vender um carro usado'],
  ['O pedido chegou com defeito', 'Recebi um pedido defeituoso', 'A praia fica perto daqui'],
  ['Die Rechnung ist noch nicht bezahlt', 'Unbezahlte Rechnungen', 'Der Hund läuft durch den Wald'],
  ['La biblioteca cierra los lunes', 'Los lunes está cerrada la biblioteca', 'El avión sale a las ocho'],
  ['Le vin rouge se boit avec le fromage', 'Du fromage et du vin rouge', 'La neige tombe en hiver'],
  ['Encrypt the disk before travelling', 'Disk encryption for travellers', 'Bake bread in a hot oven'],
  ['The court dismissed the complaint', 'Complaints dismissed by a court', 'Tulips bloom in spring'],
  ['Running shoes for wet trails', 'Trail running shoe, waterproof', 'Wooden chairs for the kitchen'],
  ['Our satellites photograph the ocean', 'Photographs of oceans by satellite', 'Grandmother knits a warm scarf'],
  ['Translate this document into Polish', 'A Polish translation of documents', 'Count the apples in the basket'],
] as const;

test.each(triples)('puts "%s" nearer to "%s" than to "%s"', async (text, paraphrase, other) => {
  for (const dimensions of [256, 768, 3_072]) {
    const [first, second, third] = await vectorsOf([text, paraphrase, other], { dimensions });
    expect(cosine(first, second)).toBeGreaterThan(cosine(first, third) + 0.1);
  }
});

test('finds the right paraphrase among all others', async () => {
  const texts = await vectorsOf(triples.map(([text]) => text));
  const others = await vectorsOf(triples.flatMap(([, paraphrase, other]) => [paraphrase, other]));
  const nearest = texts.map((vector) => {
    const near = others.map((each) => cosine(vector, each));
    return near.indexOf(Math.max(...near));
  });
  expect(nearest).toEqual(triples.map((_, index) => index * 2));
});

test.each([1, 2, 3, 768, 3_072])('answers unit vectors of %i dimensions', async (dimensions) => {
  for (const vector of await vectorsOf(['A lighthouse.', '…', 'a a a b'], { dimensions })) {
    expect(vector).toHaveLength(dimensions);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 9);
  }
});

test('returns 3,072 dimensions by default', async () => {
  expect((await vectorsOf(['A lighthouse.']))[0]).toHaveLength(3_072);
});

test('changes little for a task, and more for a title', async () => {
  const [plain] = await vectorsOf(['The harbour at night']);
  const [query] = await vectorsOf(['The harbour at night'], { task: 'RETRIEVAL_QUERY' });
  const [document] = await vectorsOf(['The harbour at night'], { task: 'RETRIEVAL_DOCUMENT', title: 'Ships' });
  expect(cosine(plain, query)).toBeGreaterThan(0.97);
  expect(cosine(plain, query)).toBeLessThan(1);
  expect(cosine(plain, document)).toBeGreaterThan(0.8);
  expect(cosine(plain, document)).toBeLessThan(cosine(plain, query));
});

test('responds to the same texts always alike, in their order', async () => {
  const [first, second] = await vectorsOf(['A lighthouse.', 'A storm.']);
  expect(await vectorsOf(['A storm.', 'A lighthouse.'])).toEqual([second, first]);
});

const media = (bytes: Uint8Array, mimeType = 'image/png') =>
  ({ kind: 'media', mimeType, data: Buffer.from(bytes).toString('base64') }) as const;

const blob = (bytes: Uint8Array, mimeType = 'image/png'): BlobPart => ({
  kind: 'blob',
  mimeType,
  sizeBytes: bytes.length,
  read: async function* () {
    for (const byte of bytes) yield await Promise.resolve(Uint8Array.of(byte));
  },
});

test('answers one vector for a content, the same for the same bytes wherever they lie', async () => {
  const bytes = Uint8Array.of(1, 2, 3);
  const text = { kind: 'text', text: 'A dot' } as const;
  const vectorOf = async (...parts: readonly (BlobPart | ReturnType<typeof media> | typeof text)[]) => {
    const { vectors } = await embed({ kind: 'content', parts });
    expect(vectors).toHaveLength(1);
    return vectors[0];
  };
  const inline = await vectorOf(text, media(bytes));
  expect(await vectorOf(text, blob(bytes))).toEqual(inline);
  const other = await vectorOf(text, media(Uint8Array.of(1, 2, 4)));
  const video = await vectorOf(text, media(bytes, 'video/mp4'));
  expect(other).not.toEqual(inline);
  expect(video).not.toEqual(inline);
  // They say the same and differ in their bytes.
  expect(cosine(inline, other)).toBeLessThan(0.9);
  expect(cosine(await vectorOf(text), (await vectorsOf(['A dot']))[0])).toBeCloseTo(1, 9);
});

const quantities = async (input: EmbeddingInput) =>
  (await embed(input)).usage.map(({ unit, quantity, confirmed }) => [unit, quantity, confirmed]);

test('counts the tokens of its input', async () => {
  expect(await quantities({ kind: 'texts', texts: ['abcd', 'abcde'] })).toEqual([['embedding_tokens', 3, true]]);
  const parts = [{ kind: 'text', text: 'abcd' }, media(Uint8Array.of(1))] as const;
  expect(await quantities({ kind: 'content', parts })).toEqual([['embedding_tokens', 259, true]]);
  expect(
    await quantities({ kind: 'texts', texts: ['[[sandbox: tokens embedding_tokens=7 embedding_inputs=1]]'] }),
  ).toEqual([
    ['embedding_tokens', 7, true],
    ['embedding_inputs', 1, true],
  ]);
});

const refusalOf = async (running: Promise<unknown>): Promise<string | undefined> => {
  const failure: unknown = await running.catch((cause: unknown) => cause);
  return isNotExecuted(failure) ? failure.reason : undefined;
};

test('refuses a text above the limit of the model, and cuts none', async () => {
  const texts = ['short', 'x'.repeat(2_048 * 4)];
  const upstreamModel = 'gemini-embedding-001';
  expect(await vectorsOf(texts, { upstreamModel })).toHaveLength(2);
  const long = embed({ kind: 'texts', texts: [...texts, 'x'.repeat(2_048 * 4 + 1)] }, { upstreamModel });
  expect(await refusalOf(long)).toBe('input_limit');
  const parts = Array.from({ length: 3 }, () => ({ kind: 'text', text: 'x'.repeat(4_096 * 4) }) as const);
  expect(await refusalOf(embed({ kind: 'content', parts: parts.slice(1) }))).toBeUndefined();
  expect(await refusalOf(embed({ kind: 'content', parts }))).toBe('input_limit');
});

test('refuses media and their flags where the model takes text only', async () => {
  const upstreamModel = 'gemini-embedding-001';
  const attempts: Attempt[] = [];
  const parts = [media(Uint8Array.of(1))] as const;
  expect(await refusalOf(embed({ kind: 'content', parts }, { upstreamModel }, attempts))).toBe('unsupported');
  expect(attempts).toMatchObject([{ status: 400, outcome: 'refused' }]);
  const flagged = { kind: 'content', parts: [{ kind: 'text', text: 'a' }], documentOcr: true } as const;
  expect(await refusalOf(embed(flagged, { upstreamModel }))).toBe('unsupported');
  expect(await refusalOf(embed(flagged))).toBeUndefined();
});

test.each([0, 3_073, 1.5])('refuses %s dimensions', async (dimensions) => {
  expect(await refusalOf(vectorsOf(['a'], { dimensions }))).toBe('invalid_request');
});

test('refuses a directive of a generation', async () => {
  expect(await refusalOf(vectorsOf(['[[sandbox: echo a]]']))).toBe('invalid_request');
});
