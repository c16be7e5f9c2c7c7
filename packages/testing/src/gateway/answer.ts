import assert from 'node:assert/strict';

/** An answer read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The path asked, below the base path and without the query. */
  readonly path: string;
}

/** JSON as a test reads it: every step says what it found where it was not what it expected. */
export interface Json {
  readonly value: unknown;
  /** The field of an object or the entry of a list; undefined inside where there is none. */
  readonly at: (...path: readonly (string | number)[]) => Json;
  readonly text: () => string;
  readonly number: () => number;
  readonly list: () => readonly Json[];
  readonly keys: () => readonly string[];
}

const fieldOf = (value: unknown, name: string | number): unknown =>
  // Reflect.get reads any own or inherited field of an object; what it is, is checked by the reader.
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

export const jsonOf = (value: unknown): Json => ({
  value,
  at: (...path) => jsonOf(path.reduce(fieldOf, value)),
  text: () => {
    assert.ok(typeof value === 'string', `expected a text, found ${JSON.stringify(value)}`);
    return value;
  },
  number: () => {
    assert.ok(typeof value === 'number', `expected a number, found ${JSON.stringify(value)}`);
    return value;
  },
  list: () => {
    assert.ok(Array.isArray(value), `expected a list, found ${JSON.stringify(value)}`);
    return value.map(jsonOf);
  },
  keys: () => {
    assert.ok(typeof value === 'object' && value !== null, `expected an object, found ${JSON.stringify(value)}`);
    return Object.keys(value);
  },
});

/** The body of an answer of 200 as JSON. */
export const okJson = (answer: Answer): Json => {
  assert.equal(answer.status, 200, answer.text);
  return jsonOf(JSON.parse(answer.text));
};

/** Asserts status and code of an error in object form, and returns the error. */
export const assertRefused = (answer: Answer, status: number, code: string): Json => {
  const error = jsonOf(JSON.parse(answer.text)).at('error');
  assert.deepEqual([answer.status, error.at('code').value], [status, code], answer.text);
  return error;
};

/** Asserts the status of an error in text form. */
export const assertTextError = (answer: Answer, status: number): void => {
  assert.equal(answer.status, status, answer.text);
  assert.ok(jsonOf(JSON.parse(answer.text)).at('error').text().length > 0);
};

export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const requestIdOf = (answer: Answer): string => answer.headers.get('x-request-id') ?? '';

/** The data of each event of a stream, in order. */
export const eventsOf = (answer: Answer): readonly string[] => {
  assert.ok(answer.text.endsWith('\n\n'), 'the last event must be ended by a blank line');
  return answer.text
    .slice(0, -2)
    .split('\n\n')
    .map((block) => {
      assert.ok(block.startsWith('data: ') && !block.includes('\n'), `not a plain event: ${block}`);
      return block.slice('data: '.length);
    });
};
