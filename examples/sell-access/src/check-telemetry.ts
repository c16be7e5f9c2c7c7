// What a collector has received of a call, and of the credits of all.
import assert from 'node:assert/strict';
import type { FakeCollector, ReceivedSpan } from './fake-collector.ts';

const spanOf = (spans: readonly ReceivedSpan[], what: string, is: (span: ReceivedSpan) => boolean): ReceivedSpan => {
  const found = spans.find(is);
  assert.ok(found, `there is no ${what} among ${spans.length} spans`);
  return found;
};

/** The call of the model stands below the request of the gateway, and that below the request of Express: one trace. */
export const checkTrace = ({ spans }: FakeCollector, operationId: string): void => {
  const call = spanOf(
    spans,
    'call of the model',
    ({ name, attributes }) => name === 'chat flash-3.8' && attributes['tollgate.operation.id'] === operationId,
  );
  assert.equal(call.attributes['gen_ai.operation.name'], 'chat');
  assert.equal(call.attributes['gen_ai.provider.name'], 'sandbox');
  assert.equal(call.attributes['gen_ai.request.model'], 'flash-3.8');
  const request = spanOf(spans, 'request of the gateway', ({ spanId }) => spanId === call.parentSpanId);
  assert.equal(request.name, 'createChatCompletion');
  assert.equal(request.attributes['tollgate.outcome'], 'settled');
  assert.ok(Number(request.attributes['gen_ai.usage.input_tokens']) > 0);
  const express = spanOf(spans, 'request of Express', ({ spanId }) => spanId === request.parentSpanId);
  assert.deepEqual([express.name, express.parentSpanId, express.service], ['POST', null, 'sell-access']);
  assert.equal(express.attributes['url.path'], '/api/v1/ai/chat/completions');
  for (const { traceId } of [call, request]) assert.equal(traceId, express.traceId);
};

/** The counters of both processes together are what the hooks heard of. */
export const checkCredits = (collector: FakeCollector, settledMicros: bigint): void => {
  const charged = collector.counters().filter(({ name }) => name === 'tollgate.charged.credits');
  assert.equal(new Set(charged.map(({ instance }) => instance)).size, 2);
  const credits = charged.reduce((sum, { value }) => sum + value, 0);
  assert.equal(BigInt(Math.round(credits * 1_000_000)), settledMicros);
};
