import { NotExecuted, type CallContext, type GenerationCall, type Part, type Provider } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { runGeneration } from './run-generation.ts';

const call: GenerationCall = {
  operationId: '11111111-1111-4111-8111-111111111111',
  upstreamModel: 'some-model',
  systemInstruction: null,
  contents: [{ role: 'user', parts: [{ kind: 'text', text: 'Hello' }] }],
  tools: [],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: {},
  outputTokensMax: 500,
};
const context: CallContext = {
  caller: { accountId: 'a', projectId: 'p', keyId: 'k' },
  signal: new AbortController().signal,
  recordAttempt: () => {},
};
const piece: Part = { kind: 'text', text: 'Good ' };

const refusing = (pieces: readonly Part[]): Provider => ({
  name: 'refusing',
  generateStream: (_call, _context, onParts) => {
    if (pieces.length > 0) onParts(pieces);
    return Promise.reject(new NotExecuted({ reason: 'failed' }));
  },
});

const failureOf = async (pieces: readonly Part[]): Promise<unknown> =>
  runGeneration(refusing(pieces), call, context, { onParts: () => {} }).then(
    () => 'it was answered',
    (cause: unknown) => cause,
  );

test('believes that nothing ran as long as nothing was handed over', async () => {
  expect(await failureOf([])).toMatchObject({ code: 'not_executed', reason: 'failed' });
});

test('takes an answer that had begun for executed, whatever is said of it afterwards', async () => {
  const failure = await failureOf([piece]);
  expect(failure).toMatchObject({ cause: { code: 'not_executed' } });
  expect(failure).not.toMatchObject({ code: 'not_executed' });
});
