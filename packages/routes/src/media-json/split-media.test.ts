import { createHash } from 'node:crypto';
import { decodeBase64, isLifted, jsonBounds, parsePlace, type LiftedData } from '@tollgate/contract';
import { regroupChunks } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { createBodyCursor } from './body-cursor.ts';
import { createLiftedFacts } from './lifted-facts.ts';
import { placeLifted } from './place-lifted.ts';
import { liftedTextBytesMin, splitMedia } from './split-media.ts';

const places = ['contents.*.parts.*.inlineData.data', 'data'].map(parsePlace);

async function* inChunks(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

interface Split {
  readonly json: string;
  readonly value: unknown;
  /** The bytes of what was lifted, in the order it came. */
  readonly blobs: readonly Buffer[];
  /** What tells the body from every other, hashed. */
  readonly identity: string;
}

const split = async (text: string, chunkBytes = 60_000, secret = 'secret', dataUrls = false): Promise<Split> => {
  const blobs: Buffer[] = [];
  const identity = createHash('sha256');
  const identify = (bytes: Uint8Array): void => {
    identity.update(bytes);
  };
  const lift = async (bytes: AsyncIterable<Uint8Array>): Promise<LiftedData> => {
    const chunks: Uint8Array[] = [];
    const facts = createLiftedFacts();
    for await (const chunk of regroupChunks(bytes, 4_096)) {
      chunks.push(Uint8Array.from(chunk));
      facts.add(chunk);
    }
    const whole = Buffer.concat(chunks);
    blobs.push(whole);
    return { kind: 'lifted', key: `key/${blobs.length}`, ...facts.end(), read: () => inChunks('', 1) };
  };
  const cursor = createBodyCursor(inChunks(text, chunkBytes));
  const { json, lifted } = await splitMedia(cursor, {
    places,
    bounds: jsonBounds(1_000_000),
    dataUrls,
    lift,
    secret,
    identify,
    turn: () => Promise.resolve(),
  });
  const value: unknown = JSON.parse(json.toString());
  placeLifted(value, places, lifted);
  return { json: json.toString(), value, blobs, identity: identity.digest('hex') };
};

const noise = (size: number, seed = 1): Buffer => {
  const bytes = Buffer.alloc(size);
  let state = seed;
  for (let at = 0; at < size; at += 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    bytes[at] = state >> 16;
  }
  return bytes;
};

const long = noise(100_001);
const body = (data: string, before = ''): string =>
  `{${before}"contents":[{"role":"user","parts":[{"text":"hi \\"data\\":"},{"inlineData":{"mimeType":"image/png","data":${data}}}]}]}`;
const quoted = (bytes: Buffer): string => `"${bytes.toString('base64')}"`;

test.each([1, 2, 3, 7, 63, 1_000, 65_536, 10_000_000])(
  'lifts long base64 out of a body in chunks of %i bytes, and leaves the rest as it was',
  async (chunkBytes) => {
    const { value, blobs, json } = await split(body(quoted(long)), chunkBytes);
    expect(blobs.map((blob) => blob.equals(long))).toEqual([true]);
    expect(json).toBe(body('"secret:0"'));
    expect(value).toMatchObject({
      contents: [{ role: 'user', parts: [{}, { inlineData: { data: { kind: 'lifted', sizeBytes: long.length } } }] }],
    });
  },
);

test('tells size, digest, head, tail and whether it is text', async () => {
  const { value } = await split(`{"data":${quoted(long)}}`);
  expect(value).toEqual({
    data: {
      kind: 'lifted',
      key: 'key/1',
      sizeBytes: long.length,
      sha256: createHash('sha256').update(long).digest('hex'),
      head: long.subarray(0, 64),
      tail: Uint8Array.from(long.subarray(-16_384)),
      isUtf8: false,
      read: expect.any(Function),
    },
  });
});

test('knows text by its characters, wherever the chunks were cut', async () => {
  const text = Buffer.from('ação über 漢字 '.repeat(6_000));
  for (const chunkBytes of [1, 1_001, 65_536]) {
    const { value } = await split(`{"data":${quoted(text)}}`, chunkBytes);
    expect(value).toMatchObject({ data: { isUtf8: true } });
  }
  const withNul = Buffer.concat([text, Buffer.from([0]), text]);
  expect((await split(`{"data":${quoted(withNul)}}`)).value).toMatchObject({ data: { isUtf8: false } });
  const cut = text.subarray(0, Buffer.from('ação über ').length + 2);
  const cutAtEnd = Buffer.concat([text, cut]);
  expect((await split(`{"data":${quoted(cutAtEnd)}}`)).value).toMatchObject({ data: { isUtf8: false } });
});

test('leaves short base64 where it is', async () => {
  const short = noise((liftedTextBytesMin / 4) * 3);
  const { value, blobs } = await split(`{"data":${quoted(short)}}`);
  expect(value).toEqual({ data: short.toString('base64') });
  expect(blobs).toEqual([]);
});

test('reads the escapes with which JSON may write base64', async () => {
  const slashes = Buffer.alloc(90_000, 0xff);
  const plain = slashes.toString('base64');
  const escaped = [plain.replaceAll('/', '\\/'), plain.replaceAll('/', '\\u002f'), plain.replaceAll('/', '\\u002F')];
  for (const text of escaped)
    for (const chunkBytes of [5, 70_001]) {
      const { blobs } = await split(`{"data":"${text}"}`, chunkBytes);
      expect(blobs.map((blob) => blob.equals(slashes))).toEqual([true]);
    }
});

test('lifts nothing from other places, whatever their key', async () => {
  const text = quoted(long);
  const others = [
    `{"x":${text}}`,
    `{"args":{"data":${text}}}`,
    `["data",${text}]`,
    `{"contents":{"parts":[{"inlineData":{"data":${text}}}]}}`,
    `{"contents":[{"parts":[{"functionCall":{"args":{"inlineData":{"data":${text}}}}}]}]}`,
    `{"a":{"b":{"c":{"d":{"e":{"f":{"g":{"data":${text}}}}}}}}}`,
    `[{"data":${text}}]`,
  ];
  for (const other of others) {
    const { value, blobs } = await split(other);
    expect(blobs).toEqual([]);
    expect(value).toEqual(JSON.parse(other));
  }
});

test('finds a place again behind what was deeper, and behind keys and texts of every kind', async () => {
  const before =
    '"a":{"b":[[[[[[[[{"data":"x"}]]]]]]]]},"c\\"":"}{][\\\\","data\\u0041":[1,true,null,{"data":1}],"contents":"no",';
  const { value, blobs } = await split(body(quoted(long), before), 11);
  expect(blobs).toHaveLength(1);
  expect(value).toMatchObject({ contents: [{ parts: [{}, { inlineData: { data: { kind: 'lifted' } } }] }] });
});

test('lifts several, each by itself, and of two values of one key the parser keeps the last', async () => {
  const other = noise(120_000, 7);
  const part = (bytes: Buffer): string => `{"inlineData":{"data":${quoted(bytes)}}}`;
  const { value, blobs } = await split(
    `{"contents":[{"parts":[${part(long)},${part(other)}]},{"parts":[${part(long)}]}],"data":${quoted(other)},"data":"AAAA"}`,
  );
  expect(blobs.map((blob) => blob.length)).toEqual([100_001, 120_000, 100_001, 120_000]);
  expect(value).toMatchObject({
    data: 'AAAA',
    contents: [
      { parts: [{ inlineData: { data: { key: 'key/1' } } }, { inlineData: { data: { key: 'key/2' } } }] },
      { parts: [{ inlineData: { data: { key: 'key/3' } } }] },
    ],
  });
});

const broken = long.toString('base64');

test.each([
  ['a sign too many', `${broken.slice(0, 90_000)}*${broken.slice(90_000)}`],
  ['a sign too few', broken.slice(0, -1)],
  ['padding in the middle', `${broken.slice(0, 90_000)}==${broken.slice(90_002)}`],
  ['the URL alphabet', `${broken.slice(0, 90_000)}-_${broken.slice(90_002)}`],
  ['bits that the padding leaves unused', `${'A'.repeat(90_000)}AAB=`],
  ['a line break', `${broken.slice(0, 90_000)}\\n${broken.slice(90_000)}`],
  ['an escaped quote', `${broken.slice(0, 90_000)}\\"${broken.slice(90_000)}`],
  ['an escaped quote at the end', `${broken}\\"`],
  ['an escaped backslash at the end', `${broken}\\\\`],
  ['a wide character', `${broken.slice(0, 90_000)}Ā${broken.slice(90_000)}`],
  ['a wide character as an escape', `${broken.slice(0, 90_000)}\\u0141${broken.slice(90_001)}`],
  ['a sign at the beginning', `*${broken}`],
])('leaves a text that is no base64 as one that is none: %s', async (_, text) => {
  for (const chunkBytes of [13, 65_536, 10_000_000]) {
    const { value, blobs } = await split(`{"data":"${text}","after":"\\"kept\\""}`, chunkBytes);
    expect(blobs).toEqual([]);
    expect(value).toMatchObject({
      data: expect.toSatisfy((left: string) => decodeBase64(left) === null),
      after: '"kept"',
    });
  }
});

test.each([
  ['a control character', `{"data":"${broken}\n"}`],
  ['a control character in the middle', `{"data":"${broken.slice(0, 90_000)}\n${broken.slice(90_000)}"}`],
  ['a wrong escape in the middle', `{"data":"${broken.slice(0, 90_000)}\\q${broken.slice(90_000)}"}`],
  ['an escape that JSON does not have', `{"data":"${broken}\\q"}`],
  ['half an escape', `{"data":"${broken}\\u00"}`],
  ['an end within the text', `{"data":"${broken}`],
  ['an end within an escape', `{"data":"${broken}\\`],
  ['an end behind the text', `{"data":"${broken}"`],
  ['no colon', `{"data" "${broken}"}`],
  ['nothing but closing', `}]}]{"data":"${broken}"}`],
])('leaves what is no JSON to be refused: %s', async (_, text) => {
  for (const chunkBytes of [1, 2, 3, 13, 1_001, 10_000_000])
    await expect(split(text, chunkBytes)).rejects.toThrow(/JSON|invalid/i);
});

test('takes a placeholder that a client has guessed for what it is only where one was lifted', async () => {
  const { value } = await split('{"data":"secret:0"}');
  expect(value).toEqual({ data: 'secret:0' });
});

const png = `data:image/png;base64,${long.toString('base64')}`;

test.each([1, 7, 65_536, 10_000_000])('lifts the base64 of a data URL in chunks of %i bytes', async (chunkBytes) => {
  for (const text of [png, png.replace('/', String.raw`\/`), png.replace('image', String.raw`\u0049mage`)]) {
    const { value, blobs, json } = await split(body(`"${text}"`), chunkBytes, 'secret', true);
    expect(blobs.map((blob) => blob.equals(long))).toEqual([true]);
    expect(json).toBe(body('"secret:0"'));
    expect(value).toMatchObject({
      contents: [{ parts: [{}, { inlineData: { data: { kind: 'lifted', declared: 'image/png' } } }] }],
    });
  }
});

test('tells data URLs apart by their exact bytes', async () => {
  const texts = [png, png.replace('png', 'PNG'), png.replace('/', String.raw`\/`), png.slice(png.indexOf(',') + 1)];
  const identities = await Promise.all(
    texts.map(async (text) => (await split(body(`"${text}"`), 977, 's', true)).identity),
  );
  expect(new Set(identities).size).toBe(texts.length);
});

test.each([
  ['an address', `https://example.com/${'a'.repeat(70_000)}`],
  ['a data URL that is not base64', `data:image/svg+xml,${'<p>'.repeat(30_000)}`],
  ['base64 with a sign that is none at its beginning', `data:image/png;base64,?${long.toString('base64')}`],
  ['an escaped comma', png.replace(',', String.raw`\u002c`)],
])('leaves as it is what is no data URL in base64: %s', async (_, text) => {
  for (const chunkBytes of [13, 65_536, 10_000_000]) {
    const { json, blobs } = await split(body(`"${text}"`), chunkBytes, 'secret', true);
    expect(json === body(`"${text}"`)).toBe(true);
    expect(blobs).toEqual([]);
  }
});

test('keeps the prefix of a data URL that turns out to be no base64 at its end', async () => {
  const { value } = await split(`{"data":"${png}?"}`, 1_000, 'secret', true);
  expect(value).toEqual({ data: expect.stringMatching(/^data:image\/png;base64,\*/) });
});

const slashes = Buffer.alloc(90_000, 'ff', 'hex').toString('base64');
/** The same base64 in every spelling that JSON has for its slashes, in different places, and other base64. */
const spellings = [
  slashes,
  slashes.replace('/', String.raw`\/`),
  slashes.replace('//', String.raw`/\/`),
  slashes.replace('/', String.raw`\u002f`),
  slashes.replace('/', String.raw`\u002F`),
  slashes.replaceAll('/', String.raw`\/`),
  `${slashes.slice(0, -1)}${String.raw`\/`}`,
  `${slashes}////`,
  `A${slashes.slice(1)}`,
];

test('tells bodies apart by their exact bytes, also where their long texts decode to the same [idempotency:body:exact-bytes]', async () => {
  const bodies = spellings.flatMap((text) => [
    body(`"${text}"`),
    body(`"${text}"`, ' '),
    body(`"${text}"`, `"data":"${text}",`),
  ]);
  const identities = new Map<string, string>();
  for (const text of bodies)
    for (const chunkBytes of [13, 997, 65_536, 10_000_000]) {
      const { identity } = await split(text, chunkBytes, `secret ${chunkBytes}`);
      expect(identities.get(identity) ?? text).toBe(text);
      identities.set(identity, text);
    }
  expect(identities.size).toBe(bodies.length);
});

test('takes a body for no other whose long text turned out to be no base64, as its beginning is gone', async () => {
  const spoilt = body(`"${slashes}*"`);
  const first = await split(spoilt, 65_536, 'one');
  expect((await split(spoilt, 65_536, 'two')).identity).not.toBe(first.identity);
});

const never = (): Promise<LiftedData> => Promise.reject(new Error('nothing is lifted'));

const nothingLifted = {
  places,
  dataUrls: false,
  lift: never,
  secret: 'secret',
  identify: () => undefined,
  turn: () => Promise.resolve(),
};

test('goes through a body nested without end in little memory and time', async () => {
  const deep = `${'['.repeat(500_000)}${']'.repeat(500_000)}`;
  const cursor = createBodyCursor(inChunks(deep, 65_536));
  const { json } = await splitMedia(cursor, {
    ...nothingLifted,
    bounds: { nodesMax: Infinity, namesMax: Infinity, depthMax: Infinity },
  });
  expect(json.length).toBe(deep.length);
});

/** What the parser alone makes of a body, or null. */
const parsed = (text: string): { readonly value: unknown } | null => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
};

/** The same value with lifted bytes in base64 again, and with nothing where a text at a place was found to be none. */
const restored = (value: unknown, blobs: readonly Buffer[]): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, member: unknown) => {
      if (isLifted(member)) return blobs[Number((member.key ?? '').slice('key/'.length)) - 1]?.toString('base64');
      return key === 'data' && typeof member === 'string' && decodeBase64(member) === null ? null : member;
    }),
  );

test('makes of every body what the parser makes of it, whatever was spoilt in it', async () => {
  const spoilers = [
    '"',
    '\\',
    '\n',
    '*',
    '=',
    '/',
    'A',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    'u',
    '\\/',
    '\\u0041',
    '\\"',
    'é',
  ];
  let state = 42;
  const random = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (state >> 8) % below;
  };
  let refused = 0;
  let lifted = 0;
  for (let run = 0; run < 250; run += 1) {
    const data = noise(60_000 + random(20_000), run + 1).toString('base64');
    let text = body(`"${random(3) === 0 ? data.replaceAll('/', '\\/') : data}"`, `"data":"${data}",`);
    for (let spoilt = random(3); spoilt > 0; spoilt -= 1) {
      // Now and then near an end, where most can go wrong.
      const at = random(2) === 0 ? random(text.length) : text.length - random(120);
      text = `${text.slice(0, at)}${spoilers[random(spoilers.length)] ?? ''}${text.slice(at + random(2))}`;
    }
    const expected = parsed(text);
    const found = await split(text, [997, 40_000, 65_536, 1_000_000][random(4)]).catch(() => null);
    expect(found === null, `run ${run}`).toBe(expected === null);
    refused += Number(found === null);
    lifted += found?.blobs.length ?? 0;
    const same =
      JSON.stringify(restored(found?.value ?? null, found?.blobs ?? [])) ===
      JSON.stringify(restored(expected?.value ?? null, []));
    expect(same, `run ${run}`).toBe(true);
  }
  expect(refused).toBeGreaterThan(20);
  expect(lifted).toBeGreaterThan(100);
});
