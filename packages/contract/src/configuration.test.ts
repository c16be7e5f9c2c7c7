import { describe, expect, test } from 'vitest';
import {
  also,
  byKind,
  callable,
  checkConfiguration,
  ConfigurationError,
  entryPlace,
  faultAt,
  flag,
  foreign,
  having,
  implementation,
  isConfigurationError,
  list,
  memberPlace,
  nullable,
  number,
  oneOf,
  optionsCheck,
  required,
  table,
  tableOf,
  text,
  timerMs,
  webAddress,
  whole,
  type OptionCheck,
} from './configuration.ts';

type Judge = Pick<OptionCheck<unknown>, 'faultsOf'>;

const messages = (check: Judge, value: unknown, place = 'it'): readonly string[] =>
  check.faultsOf(value, place).map(({ message }) => message);

interface Options {
  readonly path: string;
  readonly waitMs?: number;
  readonly inner?: { readonly on?: boolean };
}
const options = optionsCheck<Options>({
  path: required(text()),
  waitMs: timerMs(),
  inner: optionsCheck<NonNullable<Options['inner']>>({ on: flag() }),
});

describe('an object of options', () => {
  test('is sound with what is required alone, and with what is undefined', () => {
    expect(messages(options, { path: 'a' })).toEqual([]);
    expect(messages(options, { path: 'a', waitMs: undefined, inner: undefined })).toEqual([]);
  });

  test('holds nothing that is not described; the nearest name is reported', () => {
    expect(messages(options, { path: 'a', waitms: 1 })).toEqual([
      'it.waitms is not known; accepted are path, waitMs and inner; the nearest is waitMs',
    ]);
    expect(messages(options, { path: 'a', tiers: [] })).toEqual([
      'it.tiers is not known; accepted are path, waitMs and inner',
    ]);
  });

  test('has its faults at their places, all of them', () => {
    expect(options.faultsOf({ waitMs: 'soon', inner: { on: 1, off: 1 } }, '').map(({ place }) => place)).toEqual([
      'path',
      'waitMs',
      'inner.off',
      'inner.on',
    ]);
  });

  test.each([
    [null, 'it is null; accepted is an object with path, waitMs and inner'],
    [[], 'it is a list of 0 entries; accepted is an object with path, waitMs and inner'],
    ['a', 'it is the text "a"; accepted is an object with path, waitMs and inner'],
    [Promise.resolve({}), 'it is a promise; await it; accepted is an object with path, waitMs and inner'],
  ])('is not %j', (value, message) => {
    expect(messages(options, value)).toEqual([message]);
  });

  test("is not looked for names of the language's own", () => {
    expect(messages(options, JSON.parse('{"path":"a","__proto__":1,"constructor":1}'))).toEqual([
      expect.stringContaining('it.__proto__ is not known'),
      expect.stringContaining('it.constructor is not known'),
    ]);
  });
});

test('an implementation of an interface may have more than the interface, and inherit it', () => {
  const check = implementation<{ readonly name: string; run: () => void }>({
    name: required(text()),
    run: required(callable()),
  });
  class Own {
    readonly name = 'own';
    readonly more = 1;
    run(): void {}
  }
  expect(messages(check, new Own())).toEqual([]);
  expect(messages(check, { name: 'own' })).toEqual(['it.run is missing; accepted is a function']);
});

describe('values', () => {
  test.each<[Judge, unknown]>([
    [whole(), 0],
    [whole({ min: 1, max: 2 }), 2],
    [number({ min: 0 }), 0.5],
    [flag(), false],
    [text({ charsMin: 0 }), ''],
    [oneOf('a', 'b'), 'b'],
    [callable(), () => undefined],
    [having<Map<string, string>>('get'), new Map()],
    [foreign(), {}],
    [nullable(whole()), null],
    [webAddress(), 'http://127.0.0.1:9/v1'],
    [list(whole()), []],
    [table(whole()), { any: 1 }],
    [tableOf(['a', 'b'], whole()), { b: 1 }],
    [byKind({ text: text(), function: callable() }, 'is one of two'), 'a'],
  ])('are sound (%#)', (check, value) => {
    expect(messages(check, value)).toEqual([]);
  });

  test.each<[Judge, unknown, string]>([
    [whole(), -1, 'it is -1; accepted is a whole number of at least 0'],
    [whole(), 1.5, 'it is 1.5; accepted is a whole number of at least 0'],
    [whole({ min: 1, max: 9 }), '5', 'it is the text "5"; accepted is a whole number from 1 to 9'],
    [number(), Number.NaN, 'it is NaN; accepted is a number'],
    [number(), Infinity, 'it is Infinity; accepted is a number'],
    [flag(), 'true', 'it is the text "true"; accepted is true or false'],
    [text(), '', 'it is the text ""; accepted is a text that is not empty'],
    [text({ isSecret: true }), '', 'it is empty; accepted is a text that is not empty'],
    [
      oneOf('sent', 'left_out'),
      'leftout',
      'it is the text "leftout"; accepted are sent and left_out; the nearest is left_out',
    ],
    [callable(), {}, 'it is an object; accepted is a function'],
    [
      having<Map<string, string>>('get', 'set'),
      { get: () => 1 },
      'it has no function set; accepted is an object with the functions get and set',
    ],
    [webAddress(), 'example.com', 'it is the text "example.com"; accepted is an absolute address with http or https'],
    [list(whole(), { entriesMin: 1 }), [], 'it is a list of 0 entries; accepted is a list of 1 to 100000 entries'],
    [list(whole()), [1, 'a'], 'it[1] is the text "a"; accepted is a whole number of at least 0'],
    [
      table(whole()),
      { "it's": 'a' },
      String.raw`it['it\'s'] is the text "a"; accepted is a whole number of at least 0`,
    ],
    [
      tableOf(['images', 'tokens'], whole()),
      { image: 1 },
      'it.image is not known; accepted are images and tokens; the nearest is images',
    ],
    [byKind({ text: text() }, 'is one of two'), 1, 'it is 1; accepted is one of two'],
  ])('are refused with what came and what is accepted (%#)', (check, value, message) => {
    expect(messages(check, value)).toEqual([message]);
  });

  test('are named with their unit', () => {
    expect(messages(timerMs({ min: 1 }), 3e9, 'waitMs')).toEqual([
      'waitMs is 3000000000; accepted is a whole number of milliseconds from 1 to 2147483647',
    ]);
    expect(messages(whole(), '1', 'bodyBytesMax')[0]).toContain('a whole number of bytes');
    expect(messages(whole(), '1', 'maxAgeSeconds')[0]).toContain('a whole number of seconds');
  });
});

test('no message repeats a secret, or a text without end', () => {
  const secret = text({ charsMin: 32, isSecret: true });
  for (const value of ['hunter2', { hunter2: 1 }, ['hunter2']])
    expect(messages(secret, value).join(' ')).not.toContain('hunter2');
  expect(messages(whole(), 'x'.repeat(10_000))[0]?.length).toBeLessThan(150);
});

test('a rule between options is asked only where each is sound by itself', () => {
  const check = also(options, ({ path, waitMs = 0 }, place) =>
    waitMs > path.length ? faultAt(memberPlace(place, 'waitMs'), `is ${waitMs}`, 'is at most the length of path') : [],
  );
  expect(messages(check, { path: 'abc', waitMs: 4 }, '')).toEqual([
    'waitMs is 4; accepted is at most the length of path',
  ]);
  expect(messages(check, { waitMs: 4 }, '')).toEqual(['path is missing; accepted is a text that is not empty']);
});

test('a place is written as a host would write it', () => {
  expect(memberPlace('', 'limits')).toBe('limits');
  expect(memberPlace('limits', 'leaseMs')).toBe('limits.leaseMs');
  expect(memberPlace('limits', 'lease-ms')).toBe("limits['lease-ms']");
  expect(entryPlace('tariff.models', 'gpt-x')).toBe("tariff.models['gpt-x']");
  expect(entryPlace('models', 'a\nb')).toBe("models['a?b']");
});

const refusal = (value: unknown): unknown => {
  try {
    checkConfiguration('createThing', options, value as Options);
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('the error', () => {
  test('is none where nothing is wrong', () => {
    expect(refusal({ path: 'a' })).toBeUndefined();
  });

  test('says by a code what it is, also to another copy of the package', () => {
    const error = refusal({});
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ name: 'ConfigurationError', code: 'configuration_invalid' });
    expect(isConfigurationError(error)).toBe(true);
    expect(isConfigurationError(Object.assign(new Error('a'), { code: 'configuration_invalid', faults: [] }))).toBe(
      true,
    );
    expect(isConfigurationError(new Error('a'))).toBe(false);
  });

  test('is one sentence for one fault, and a list for several', () => {
    expect(refusal({})).toMatchObject({
      message: 'createThing: path is missing; accepted is a text that is not empty',
      faults: [{ place: 'path', message: 'path is missing; accepted is a text that is not empty' }],
    });
    expect(refusal({ path: 1, waitMs: -1 })).toMatchObject({
      message: expect.stringMatching(/^createThing: 2 faults in its configuration\n- path is 1; .*\n- waitMs is -1; /),
    });
  });

  test('keeps every fault, and writes out the first twenty', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`unknown${at}`, 1]));
    const error = refusal({ path: 'a', ...many });
    expect(isConfigurationError(error) && error.faults).toHaveLength(30);
    expect((error as Error).message.split('\n')).toHaveLength(22);
    expect((error as Error).message).toMatch(/- 10 more$/);
  });
});
