import { GatewayError, isErrorCode, type ErrorCode } from '@tollgate/contract';
import type { FoundResource } from '@tollgate/engine';
import { listRowsMax } from '@tollgate/storage';
import type { GatewayResponse } from '../../../gateway-request.ts';
import type { Service } from '../../../service.ts';
import { linesAnswer, linesBody } from '../../batches/lines-body.ts';
import { resultItems, type ItemResult, type ReadBatch } from '../../batches/result-items.ts';
import { anthropicErrorObject } from '../anthropic-error.ts';

const codeOf = (code: string): ErrorCode => (isErrorCode(code) ? code : 'request_failed');

/** What became of one request, in the words of this wire. */
const outcomeOf = (requestId: string, result: ItemResult): object => {
  switch (result.status) {
    case 'completed':
      return { type: 'succeeded', message: result.response };
    case 'failed': {
      const { code, message: detail } = result;
      return { type: 'errored', error: anthropicErrorObject(new GatewayError(codeOf(code), { detail, requestId })) };
    }
    case 'cancelled':
      return { type: 'canceled' };
  }
};

/** A batch that failed as a whole has no results: its requests did not run. */
async function* unrunItems({ engine }: Service, { operation }: FoundResource): AsyncGenerator<ItemResult, void> {
  const items = await engine.storage.list('itemsByBatch', { of: operation.id, limit: listRowsMax });
  const code = operation.errorCode ?? 'request_failed';
  for (const { key } of items.toReversed())
    yield code === 'cancelled'
      ? { key, status: 'cancelled' }
      : { key, status: 'failed', code, message: new GatewayError(codeOf(code)).message };
}

/** `GET /messages/batches/{id}/results`: a line for each request, in the order sent. */
export const sendMessageResults = async (read: ReadBatch): Promise<GatewayResponse> => {
  const { service, found } = read;
  const { operation } = found;
  if (operation.endedAtMs === null)
    throw new GatewayError('request_in_progress', { detail: 'The batch has not ended; its results come after that.' });
  const items = () => (operation.state === 'failed' ? unrunItems(service, found) : resultItems(read));
  const lines = async function* () {
    for await (const result of items()) yield { custom_id: result.key, result: outcomeOf(operation.id, result) };
  };
  return linesAnswer(await linesBody(lines), 'application/x-jsonl');
};
