/** A text that asks the upstream for something, as in `[[sandbox: fail]]`. */
export const directed = (...directives: readonly string[]): string =>
  directives.map((one) => `[[sandbox: ${one}]]`).join(' ');

/** A chat of one user message. */
export const say = (content: unknown, more: object = {}): object => ({
  messages: [{ role: 'user', content }],
  ...more,
});

export const hello = say('Hello');

/** A chat that goes on after a greeting. */
export const afterHello = (...messages: readonly object[]): object => ({
  messages: [{ role: 'user', content: 'Hello' }, ...messages],
});

/** A body of contents and parts. */
export const contents = (text: string, more: object = {}): object => ({
  contents: [{ role: 'user', parts: [{ text }] }],
  ...more,
});

export const ofParts = (...parts: readonly object[]): object => ({ contents: [{ role: 'user', parts }] });

export const identified = (identity: string) => ({ headers: { 'idempotency-key': identity } });

export const weatherTool = {
  type: 'function',
  function: {
    name: 'weather',
    description: 'The weather of a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
} as const;
