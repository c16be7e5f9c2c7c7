/* oxlint-disable typescript/switch-exhaustiveness-check, eslint/no-underscore-dangle -- The validator has some forty types, of
which this package uses a dozen; what they are made of lies under a name of its own. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Schema } from './accepted.ts';
import { CompatFields } from '../chat/compat-fields.ts';
import { CompatMessage } from '../chat/compat-message.ts';
import { CompatEmbeddingBody } from '../embeddings/embedding-request-body.ts';
import { faultSentence, firstIssue, toFault } from './field-fault.ts';
import { fieldPath } from './field-path.ts';
import { CompatGenerateFields } from '../generate/generate-request-body.ts';
import { routes } from '../http/route-table.ts';

/** How deep schemas are walked, and how far into lists and unions. */
const depthMax = 9;
const stepsMax = 60_000;

// Sound: every schema of this package is made of the validator's own types, which this union lists.
const defOf = (schema: Schema) => (schema as z.core.$ZodTypes)._zod.def;

const bare = (schema: Schema): Schema => {
  const def = defOf(schema);
  return 'innerType' in def ? bare(def.innerType) : schema;
};

const isOptional = (schema: Schema): boolean => schema._zod.optin !== undefined;

const uuid = '01900000-0000-4000-8000-000000000000';

const accepts = (schema: Schema, value: unknown): boolean => z.safeParse(schema, value).success;

/** Values that schemas with a rule of their own take, tried in turn. */
const guesses = [
  'a',
  'name',
  'AAAA',
  '*',
  'POST',
  uuid,
  'https://example.com/a',
  'audio/pcm;rate=16000',
  'image/png',
  1,
  {},
  { a: 'b' },
];

const boundOf = (schema: Schema, kind: 'min_length' | 'max_length' | 'greater_than' | 'less_than'): number | null => {
  const { checks = [] } = defOf(bare(schema)) as { readonly checks?: readonly z.core.$ZodCheck[] };
  for (const check of checks) {
    const def = (check as z.core.$ZodChecks)._zod.def;
    if (def.check === 'length_equals' && kind.endsWith('length')) return def.length;
    if (def.check !== kind) continue;
    if ('minimum' in def) return def.minimum;
    return 'maximum' in def ? def.maximum : Number(def.value);
  }
  return null;
};

const must = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('nothing to go on with');
  return value;
};

/** The smallest value that a schema takes. */
const sampleOf = (outer: Schema): unknown => {
  const schema = bare(outer);
  const def = defOf(schema);
  switch (def.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape).flatMap(([name, member]) => (isOptional(member) ? [] : [[name, sampleOf(member)]])),
      );
    case 'array':
      return Array.from({ length: Math.max(1, boundOf(schema, 'min_length') ?? 0) }, () => sampleOf(def.element));
    case 'union':
      return sampleOf(must(def.options[0]));
    case 'literal':
      return def.values[0];
    case 'enum':
      return Object.values(def.entries)[0];
    case 'null':
      return null;
    case 'boolean':
      return true;
    case 'number':
      return Math.max(boundOf(schema, 'greater_than') ?? 1, 0) || 1;
    default:
      return guesses.find((guess) => accepts(schema, guess));
  }
};

interface Place {
  readonly path: readonly PropertyKey[];
  readonly schema: Schema;
  /** The whole body with a value at this place. */
  readonly bodyWith: (value: unknown) => unknown;
  /** Whether it is one form of several: another form may be meant by what is wrong there. */
  readonly isForm: boolean;
}

/** Every place of a schema, in every form that a body can have there. */
function* placesOf(place: Place, depth = 0): Generator<Place, void> {
  // The requests of a batch are read by the routes that they are for.
  if (depth > depthMax || place.path.at(-1) === 'request') return;
  yield place;
  const def = defOf(bare(place.schema));
  if (def.type === 'union') {
    for (const option of def.options) yield* placesOf({ ...place, schema: option, isForm: true }, depth + 1);
  } else if (def.type === 'array') {
    const others = Array.from({ length: Math.max(0, (boundOf(place.schema, 'min_length') ?? 0) - 1) }, () =>
      sampleOf(def.element),
    );
    yield* placesOf(
      {
        path: [...place.path, 0],
        schema: def.element,
        bodyWith: (value) => place.bodyWith([value, ...others]),
        isForm: false,
      },
      depth + 1,
    );
  } else if (def.type === 'object') {
    const sample = sampleOf(place.schema) as object;
    for (const [name, member] of Object.entries(def.shape))
      yield* placesOf(
        {
          path: [...place.path, name],
          schema: member,
          bodyWith: (value) => place.bodyWith({ ...sample, [name]: value }),
          isForm: false,
        },
        depth + 1,
      );
  }
}

interface Mutant {
  readonly what: string;
  readonly value: unknown;
  /** What the message must say of it. */
  readonly came: RegExp;
}

const lengthsOf = (schema: Schema, one: (count: number) => unknown, [unit, few]: readonly [string, RegExp]) => {
  const max = boundOf(schema, 'max_length');
  const min = boundOf(schema, 'min_length');
  const long = max === null ? [] : [{ what: 'too long', value: one(max + 1), came: new RegExp(`${max + 1} ${unit}`) }];
  return min === null || min < 1 ? long : [...long, { what: 'too short', value: one(0), came: few }];
};

const sizesOf = (schema: Schema): readonly Mutant[] => {
  const def = defOf(bare(schema));
  switch (def.type) {
    case 'number': {
      const [min, max] = [boundOf(schema, 'greater_than'), boundOf(schema, 'less_than')];
      return [
        ...(max === null
          ? []
          : [{ what: 'too large', value: max + 1, came: new RegExp(`is ${max + 1}, which is above`) }]),
        ...(min === null
          ? []
          : [{ what: 'too small', value: min - 1, came: new RegExp(`is ${min - 1}, which is below`) }]),
      ];
    }
    case 'string':
      return lengthsOf(schema, (count) => 'a'.repeat(count), ['characters', /is empty/]);
    case 'array':
      return lengthsOf(schema, (count) => Array.from({ length: count }, () => sampleOf(def.element)), [
        'entries',
        /an empty list/,
      ]);
    default:
      return [];
  }
};

const wrongTypes: readonly Mutant[] = [
  { what: 'text', value: 'no such word', came: /is text of 12 characters/ },
  { what: 'a number', value: 77_777_777.5, came: /is 77777777\.5/ },
  { what: 'true', value: true, came: /is true/ },
  { what: 'a list', value: [[[]]], came: /is a list of 1 entry/ },
  { what: 'an object', value: { zzz: 1 }, came: /is an object|zzz|is missing/ },
  { what: 'null', value: null, came: /is null/ },
  { what: 'nothing', value: undefined, came: /is missing/ },
];

const mutantsOf = (schema: Schema): readonly Mutant[] => [...wrongTypes, ...sizesOf(schema)];

const published = routes.flatMap(({ id, request }) =>
  request === null ? [] : [[`the body of ${id}`, request] as const],
);
const compatible = [
  ['the compatible fields of a chat', CompatFields],
  ['a compatible message', CompatMessage],
  ['the compatible fields of generateContent', CompatGenerateFields],
  ['a compatible embedding', CompatEmbeddingBody],
] as const;

/** The error for a body, or null where it is accepted. */
const sentenceOf = (schema: Schema, body: unknown): string | null => {
  const result = z.safeParse(schema, body);
  if (result.success) return null;
  const issue = must(firstIssue(result.error.issues));
  const judged = { schema, input: body };
  return faultSentence(toFault(issue, judged), judged);
};

describe.each([...published, ...compatible])('%s', (_, schema) => {
  const places = [...placesOf({ path: [], schema, bodyWith: (value) => value, isForm: false })];

  test('is walked whole', () => {
    expect(places.length).toBeGreaterThan(1);
    expect(places.length).toBeLessThan(stepsMax);
  });

  test('names the field, what came and what is accepted, whatever is wrong with whichever field', () => {
    const faults: string[] = [];
    let told = 0;
    for (const place of places) {
      for (const { what, value, came } of mutantsOf(place.schema)) {
        if (accepts(place.schema, value)) continue;
        const sentence = sentenceOf(schema, place.bodyWith(value));
        // Another form of the same place takes it.
        if (sentence === null) continue;
        told += 1;
        const where = fieldPath(place.path);
        const isTold = place.isForm || came.test(sentence);
        if (!sentence.includes(where) || !/; accepted (?:is|are) \S/.test(sentence) || !isTold)
          faults.push(`${where}, ${what}: ${sentence}`);
      }
    }
    expect(faults.slice(0, 20)).toEqual([]);
    expect(told).toBeGreaterThan(places.length);
  });

  test('names every field that it does not know, and those that it knows', () => {
    const faults: string[] = [];
    for (const place of places) {
      if (defOf(bare(place.schema)).type !== 'object') continue;
      const body = place.bodyWith({ ...(sampleOf(place.schema) as object), zzzUnknown: 1 });
      const sentence = sentenceOf(schema, body) ?? 'it was taken';
      const where = fieldPath([...place.path, 'zzzUnknown']);
      if (!sentence.startsWith(`The field ${where} is not supported`)) faults.push(`${where}: ${sentence}`);
    }
    expect(faults.slice(0, 20)).toEqual([]);
  });
});

test('tells the nearest of what is accepted', () => {
  expect(sentenceOf(CompatFields, { temprature: 1 })).toContain('the nearest of what is accepted is temperature;');
  expect(sentenceOf(CompatFields, { maxTokens: 1 })).toContain('the nearest of what is accepted is max_tokens;');
  expect(sentenceOf(CompatFields, { reasoning_effort: 'hihg' })).toContain('the nearest of what is accepted is high;');
  expect(sentenceOf(CompatFields, { zzzzzzzzzzzz: 1 })).not.toContain('nearest');
});
