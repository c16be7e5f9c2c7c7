import { operationStates, requestStatuses } from '@tollgate/contract';
import type { OperationRecord } from '@tollgate/storage';
import { expect, onTestFinished, test } from 'vitest';
import { createOwnGateway, greeting } from './served-gateway.ts';

test('shows every state of an operation as one of the request record, cancelling and settling as processing [requests:record:states]', async () => {
  const own = await createOwnGateway();
  onTestFinished(() => own.gateway.close({ drainMs: 0 }));
  const ask = async (path: string, body?: string) => {
    const headers = { authorization: `Bearer ${own.key}`, 'content-type': 'application/json' };
    const request = new Request(`http://gateway.test/api/v1/ai${path}`, {
      headers,
      ...(body === undefined ? {} : { method: 'POST', body }),
    });
    return own.gateway.fetch(request);
  };
  const id = (await ask('/chat/completions', greeting)).headers.get('x-request-id') ?? '';
  // Only deferred work stays in the states that a chat passes through, so they are put on the record by hand.
  const operation = own.disk.rows('operation').get(id) as OperationRecord;
  const shown: Record<string, string> = {};
  for (const state of operationStates) {
    own.disk.put('operation', Object.freeze({ ...operation, state }));
    const record = (await (await ask(`/requests/${id}`)).json()) as { readonly status: string };
    shown[state] = record.status;
  }
  expect(shown).toEqual({
    preparing: 'preparing',
    reserved: 'reserved',
    processing: 'processing',
    cancelling: 'processing',
    settling: 'processing',
    completed: 'completed',
    uncertain: 'uncertain',
    failed: 'failed',
  });
  expect(new Set(Object.values(shown))).toEqual(new Set(requestStatuses));
});
