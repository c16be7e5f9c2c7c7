/** A stream of numbers from 0 up to 1 that is the same for the same seed. */
export const createRandom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

type Random = () => number;

const below = (random: Random, count: number): number => Math.floor(random() * count);

const oneOf = <T>(random: Random, items: readonly T[]): T => {
  const item = items[below(random, items.length)];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
};

/** Values that a check may have forgotten. */
const values: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  2,
  101,
  1e308,
  -1e308,
  5e-324,
  2 ** 53 + 2,
  '',
  ' ',
  'x',
  'user',
  'function',
  'json_schema',
  'a'.repeat(600),
  'é'.repeat(70_000),
  '\u{d800}',
  '\0',
  '__proto__',
  'data:image/png;base64,AAAA',
  'https://example.invalid/x',
  'files/00000000-0000-0000-0000-000000000000',
  '[[sandbox: echo hi]]',
  '{"a":1}',
  [],
  [null],
  [[]],
  [{}],
  {},
  { type: 'text', text: 'x' },
  { role: 'user', content: 'x' },
  { role: 'tool', tool_call_id: 'call', content: 'x' },
  { length: 5 },
  { toString: 1, valueOf: 1 },
];

const names = ['x', 'role', 'content', 'type', 'name', 'model', 'stream', 'messages', '__proto__', 'constructor', ''];

const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Every object and list of a value, itself included. */
const containersOf = (value: unknown): readonly Record<string, unknown>[] => {
  if (!isContainer(value)) return [];
  const found = [value];
  for (const container of found) found.push(...Object.values(container).filter(isContainer));
  return found;
};

const setOwn = (container: object, name: string, value: unknown): void => {
  Object.defineProperty(container, name, { value, enumerable: true, configurable: true, writable: true });
};

/** Changes one thing somewhere in the body. */
const mutateValue = (body: unknown, random: Random): void => {
  const container = oneOf(random, containersOf(body));
  const keys = Object.keys(container);
  const key = keys.length === 0 ? 'x' : oneOf(random, keys);
  const value = container[key];
  switch (below(random, 8)) {
    case 0:
    case 1:
    case 2:
      setOwn(container, key, structuredClone(oneOf(random, values)));
      break;
    case 3:
      delete container[key];
      break;
    case 4:
      setOwn(container, oneOf(random, names), structuredClone(oneOf(random, values)));
      break;
    case 5:
      setOwn(
        container,
        key,
        Array.from({ length: below(random, 150) }, () => value),
      );
      break;
    case 6:
      setOwn(container, key, { [oneOf(random, names)]: value });
      break;
    case 7:
      if (typeof value === 'string') setOwn(container, key, value.slice(below(random, value.length + 1)));
      else setOwn(container, key, structuredClone(oneOf(random, containersOf(body))));
      break;
  }
};

/** Changes a few bytes of the text, so that it is most often no JSON any more. */
const mutateBytes = (text: string, random: Random): Buffer<ArrayBuffer> => {
  const bytes = Buffer.from(text);
  const at = below(random, bytes.length);
  switch (below(random, 4)) {
    case 0:
      bytes[at] = below(random, 256);
      return bytes;
    case 1:
      return bytes.subarray(0, at);
    case 2:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([below(random, 256)]), bytes.subarray(at)]);
    default:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + below(random, 20))]);
  }
};

/** A changed copy of a valid body. */
export const mutate = (body: object, random: Random): Buffer<ArrayBuffer> => {
  const copy = structuredClone(body);
  const changes = 1 + below(random, 3);
  for (let change = 0; change < changes; change += 1) mutateValue(copy, random);
  const text = JSON.stringify(copy);
  return random() < 0.2 ? mutateBytes(text, random) : Buffer.from(text);
};

export const chooseFrom = oneOf;
