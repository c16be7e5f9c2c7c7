import { chooseFrom, mutate } from './mutations.ts';

type Random = () => number;

/** Texts for fields and names that something on the way may change, cut or choke on. */
export const evilTexts: readonly string[] = [
  '\0',
  'a\0b',
  '\u{d800}',
  'a\u{dc00}b',
  '\u{ffff}',
  '\u{202e}txt.exe',
  '\u{1f1f5}'.repeat(300),
  '../../etc/passwd',
  '..\\..\\x',
  "'; DROP TABLE operation; --",
  '${x} {{x}} %s %00',
  '\r\nSet-Cookie: a=b',
  '__proto__',
  'constructor',
  'files/../../x',
  'caches/%2e%2e',
  'a'.repeat(513),
  'b'.repeat(100_000),
  '-1e999',
  '[DONE]',
];

/** JSON texts that a value may be, and that JSON.stringify writes none of. */
const evilJson: readonly string[] = [
  '1e999',
  '-1e999',
  '123456789012345678901234567890',
  '0.1e-400',
  '-0',
  '"\\ud800"',
  '"\\u0000"',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"a":1,"a":2}',
  `${'{"a":'.repeat(80)}-0${'}'.repeat(80)}`,
  `${'['.repeat(150)}${']'.repeat(150)}`,
  `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  '['.repeat(200_000),
  `[${'0,'.repeat(20_000)}0]`,
  'NaN',
  'undefined',
  "'a'",
  '/**/1',
  '\ufeff1',
];

const keyPattern = /"(?:[^"\\]|\\.)*":/g;

/** Puts a value that only text can spell in the place of one, or before it under the same name. */
const withEvilJson = (text: string, random: Random): string => {
  const keys = [...text.matchAll(keyPattern)];
  if (keys.length === 0) return chooseFrom(random, evilJson);
  const { 0: key, index } = chooseFrom(random, keys);
  const value = chooseFrom(random, evilJson);
  const before = text.slice(0, index);
  return random() < 0.5
    ? `${before}${key}${value},${text.slice(index)}`
    : `${before}"x${key.slice(1)}${value},${text.slice(index)}`;
};

/** Puts an evil text in the place of one of the texts of a body, or of one of its names. */
const withEvilText = (text: string, random: Random): string => {
  const texts = [...text.matchAll(/"(?:[^"\\]|\\.)*"/g)];
  if (texts.length === 0) return JSON.stringify(chooseFrom(random, evilTexts));
  const { 0: old, index } = chooseFrom(random, texts);
  return `${text.slice(0, index)}${JSON.stringify(chooseFrom(random, evilTexts))}${text.slice(index + old.length)}`;
};

/** A changed copy of a valid body as bytes, or now and then the body as it is. */
export const hostileBody = (body: object, random: Random): Uint8Array<ArrayBuffer> => {
  const turn = random();
  if (turn < 0.15) return Buffer.from(JSON.stringify(body));
  if (turn < 0.55) return mutate(body, random);
  const text = JSON.stringify(body);
  return Buffer.from(turn < 0.8 ? withEvilText(text, random) : withEvilJson(text, random));
};
