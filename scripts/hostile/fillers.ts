/** How much hostile content is put in a place. */
export interface Amount {
  readonly bytes: number;
  /** Values and field names at the most; what bytes remain is plain text. */
  readonly nodesMax: number;
  /** Field names that differ at the most. */
  readonly namesMax: number;
}

/** Makes JSON text of about so many bytes. */
export interface Filler {
  readonly name: string;
  readonly write: (amount: Amount) => string;
}

const text = (bytes: number, unit = 'a'): string =>
  `"${unit.repeat(Math.max(0, Math.floor((bytes - 2) / Buffer.byteLength(unit))))}"`;

/** What one entry is, what it counts as, and whether it brings a name of its own. */
interface Entries {
  readonly entry: (index: number) => string;
  readonly nodesEach: number;
  readonly isNamed: boolean;
}

/** As many entries as fit, between `before` and `after`, with text for the bytes that remain. */
const filled = (
  { bytes, nodesMax, namesMax }: Amount,
  { entry, nodesEach, isNamed }: Entries,
  [before, after]: readonly [string, (rest: string) => string],
): string => {
  const pieces: string[] = [];
  const countMax = Math.min(nodesMax / nodesEach, isNamed ? namesMax : Infinity);
  let size = before.length + 64;
  while (pieces.length < countMax && size < bytes) {
    const piece = entry(pieces.length);
    pieces.push(piece);
    size += piece.length + 1;
  }
  return `${before}${pieces.join(',')}${after(text(Math.max(2, bytes - size)))}`;
};

const list = (name: string, entry: Entries['entry'], nodesEach = 1, isNamed = false): Filler => ({
  name,
  write: (amount) => filled(amount, { entry, nodesEach, isNamed }, ['[', (rest) => `,${rest}]`]),
});

const object = (name: string, entry: Entries['entry'], nodesEach = 2, isNamed = true): Filler => ({
  name,
  write: (amount) => filled(amount, { entry, nodesEach, isNamed }, ['{', (rest) => `,"z":${rest}}`]),
});

const schema = (name: string, entries: Entries, [head, tail]: readonly [string, string]): Filler => ({
  name: `schema: ${name}`,
  write: (amount) => filled(amount, entries, [`{"type":"object",${head}`, (rest) => `${tail},"description":${rest}}`]),
});

const key = (index: number): string => `k${index.toString(36)}`;

const deep = (name: string, open: string, close: string): Filler => ({
  name,
  write: ({ bytes, nodesMax }) => {
    const each = open.length + close.length;
    const levels = Math.floor(Math.min(bytes / each, nodesMax / 2));
    return `${open.repeat(levels)}${text(bytes - levels * each)}${close.repeat(levels)}`;
  },
});

/** Levels of a schema of which each leads to the next one twice: judged one by one they double at every level. */
const fanLevels = 60;

const at = (level: number): string => `{"$ref":"#/$defs/d${level}"}`;

const fan: Filler = {
  name: 'schema: references that double',
  write: ({ bytes }) => {
    const definitions = Array.from(
      { length: fanLevels },
      (_, level) => `"d${level}":{"allOf":[${at(level + 1)},${at(level + 1)}]}`,
    );
    const head = `{"$ref":"#/$defs/d0","$defs":{${definitions.join(',')},"d${fanLevels}":{"type":"null"}}`;
    return `${head},"description":${text(bytes - head.length - 20)}}`;
  },
};

const around = (name: string, [before, after]: readonly [string, string] = ['', ''], unit?: string): Filler => ({
  name,
  write: ({ bytes }) => `${before}${text(bytes - before.length - after.length, unit)}${after}`,
});

/** JSON inside a text, which is not counted with the body around it. */
const inner = (name: string, [before, unit, after]: readonly [string, string, string]): Filler => ({
  name: `text that is JSON of ${name}`,
  write: ({ bytes }) => `"${before}${text(bytes - 10, unit).slice(1, -1)}${after}"`,
});

/** Content that may stand anywhere in a body. */
export const fillers: readonly Filler[] = [
  around('text'),
  around('text of escapes', ['', ''], '\\u0061'),
  around('text of quotes', ['', ''], '\\"'),
  around('text of two bytes a letter', ['', ''], 'é'),
  around('text of blanks', ['', ''], ' '),
  around('text of digits', ['', ''], '1'),
  inner('zeros', ['[', '0,', '0]']),
  inner('fields', ['{', '\\"k\\":0,', '\\"z\\":0}']),
  list('zeros', () => '0'),
  list('negative zeros', () => '-0'),
  list('long numbers', (index) => `${index}.1234567890123e-${(index % 300) + 1}`),
  list('empty objects', () => '{}', 2),
  list('empty lists', () => '[]', 2),
  list('short texts', () => '""'),
  list('objects of one field', (index) => `{"${key(index)}":0}`, 3, true),
  list('objects of one field again and again', () => '{"k":0}', 3),
  object('fields', (index) => `"${key(index)}":0`),
  object('fields of objects', (index) => `"${key(index)}":{}`, 3),
  object('fields named by numbers', (index) => `"${index * 65_537}":0`),
  object('one field again and again', () => '"k":0', 2, false),
  deep('deep lists', '[', ']'),
  deep('deep objects', '{"a":', '}'),
  schema('many properties', { entry: (index) => `"${key(index)}":{"type":"string"}`, nodesEach: 4, isNamed: true }, [
    '"properties":{',
    '}',
  ]),
  schema('wide union', { entry: () => '{"type":"string"}', nodesEach: 3, isNamed: false }, ['"anyOf":[', ']']),
  schema('many references', { entry: () => '{"$ref":"#/$defs/d"}', nodesEach: 3, isNamed: false }, [
    '"$defs":{"d":{}},"allOf":[',
    ']',
  ]),
  schema('many patterns', { entry: (index) => `"${key(index)}":{"pattern":"^(a+)+$"}`, nodesEach: 4, isNamed: true }, [
    '"properties":{',
    '}',
  ]),
  around('schema: properties of text', ['{"type":"object","properties":', '}']),
  fan,
];

/** What costs most in one place or another, found by sending all of them. */
const firstLook: ReadonlySet<string> = new Set([
  'text',
  'text of escapes',
  'text that is JSON of fields',
  'long numbers',
  'empty objects',
  'objects of one field',
  'objects of one field again and again',
  'fields',
  'fields of objects',
  'deep objects',
  'schema: many properties',
  'schema: wide union',
  'schema: properties of text',
  'items as the contract has them',
]);

/** Whether a filler is sent at a first look, which takes a tenth of the time. */
export const isFirstLook = (filler: string): boolean => firstLook.has(filler.replace(', unbounded', ''));
