import { errorTable, isErrorCode } from '@tollgate/contract';
import { wireOf, type FoundResource } from '@tollgate/engine';
import { asArray, asObject } from '@tollgate/provider';
import type { ByteBody } from '../../../byte-body.ts';
import { batchCounts } from '../../batches/batch-counts.ts';
import { piecesBody, type Lines, type Pieces } from '../../batches/lines-body.ts';
import { resultItems, type ItemResult, type ReadBatch } from '../../batches/result-items.ts';
import { resultFileName } from './batch-result-file.ts';
import { failureOf } from '../failure-of.ts';

/** The name of the form in which a batch of this dialect was asked for. */
export const googleBatchWire = 'google-batch';

/** Batches of this dialect, and those of the contract, whose requests and responses are the same. */
export const isShown = ({ resource }: FoundResource): boolean => {
  const wire = wireOf(resource);
  return resource.availability !== 'deleted' && (wire === null || wire.name === googleBatchWire);
};

type State = 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';

/** A batch whose outcome is unknown runs on: its clients would send a failed one again, and pay twice. */
const stateOf = (found: FoundResource): State => {
  const { operation } = found;
  switch (operation.state) {
    case 'preparing':
    case 'reserved':
      return 'PENDING';
    case 'processing':
    case 'cancelling':
    case 'settling':
    case 'uncertain':
      return 'RUNNING';
    case 'failed':
      return operation.errorCode === 'cancelled' ? 'CANCELLED' : 'FAILED';
    case 'completed': {
      const { total, completed, failed } = batchCounts(found);
      return completed + failed < total ? 'CANCELLED' : 'SUCCEEDED';
    }
  }
};

/** Whether its requests came in a file: then its responses are one. */
export const isOfFile = ({ resource }: FoundResource): boolean => wireOf(resource)?.echo['file'] !== undefined;

const outputOf = (found: FoundResource): object | undefined =>
  isOfFile(found) && found.operation.state === 'completed'
    ? { responsesFile: `files/${resultFileName(found.resource.id)}` }
    : undefined;

const iso = (ms: number): string => new Date(ms).toISOString();

/** A batch without its results, as the operation that these clients poll. */
export const batchOperation = (found: FoundResource) => {
  const { operation, resource } = found;
  const state = stateOf(found);
  const { total, completed, failed } = batchCounts(found);
  const name = `batches/${resource.id}`;
  const { code, message } = failureOf(found);
  return {
    name,
    done: operation.endedAtMs !== null,
    error: state === 'FAILED' ? { code: errorTable[code].status, message } : undefined,
    metadata: {
      name,
      model: `models/${resource.model}`,
      displayName: resource.displayName ?? undefined,
      createTime: iso(resource.createdAtMs),
      updateTime: iso(Math.max(resource.updatedAtMs, operation.updatedAtMs)),
      endTime: operation.endedAtMs === null ? undefined : iso(operation.endedAtMs),
      state: `BATCH_STATE_${state}`,
      batchStats: {
        requestCount: String(total),
        successfulRequestCount: String(completed),
        failedRequestCount: String(failed),
        pendingRequestCount: String(total - completed - failed),
      },
      output: outputOf(found),
    },
  };
};

/** A response of embeddings in the contract has a list of vectors; here a request has one. */
const responseOf = (response: object): object => {
  const { object, data, ...receipt }: Readonly<Record<string, unknown>> = { ...response };
  if (object !== 'list') return response;
  const { model: _model, usage: _usage, ...kept } = receipt;
  return { embedding: { values: asObject(asArray(data)?.[0])?.['embedding'] }, ...kept };
};

const statusOf = (code: string): number => errorTable[isErrorCode(code) ? code : 'request_failed'].status;

const outcomeOf = (result: ItemResult): object => {
  switch (result.status) {
    case 'completed':
      return { response: responseOf(result.response) };
    case 'failed':
      return { error: { code: statusOf(result.code), message: result.message } };
    case 'cancelled':
      return { error: { code: 499, message: 'The batch was cancelled before this request began.' } };
  }
};

/** What the client sent beside a request. Of a batch of the contract that is its key. */
const metadataOf = ({ resource }: FoundResource): ((place: number, key: string) => unknown) => {
  const wire = wireOf(resource);
  const metadata = asArray(wire?.echo['metadata']);
  return (place, key) => (wire === null ? { key } : (metadata?.[place] ?? undefined));
};

/** Its results stand within it, and go from where they lie to the client one by one. */
const withResults = (read: ReadBatch): Pieces =>
  async function* () {
    const { found } = read;
    const head = JSON.stringify(batchOperation(found));
    // Ends in the braces of the metadata and of the whole.
    yield Buffer.from(`${head.slice(0, -2)},"output":{"inlinedResponses":{"inlinedResponses":[`);
    const metadataAt = metadataOf(found);
    let place = 0;
    for await (const result of resultItems(read)) {
      const item = JSON.stringify({ metadata: metadataAt(place, result.key), ...outcomeOf(result) });
      yield Buffer.from(`${place === 0 ? '' : ','}${item}`);
      place += 1;
    }
    yield Buffer.from(']}}}}');
  };

/** The responses to the requests of a file: a line for each, in the order sent, with its key. */
export const responseLines = (read: ReadBatch): Lines =>
  async function* () {
    for await (const result of resultItems(read)) yield { key: result.key, ...outcomeOf(result) };
  };

/** A batch with its results, once it has them. */
export const batchBody = (read: ReadBatch): Promise<string | ByteBody> =>
  read.found.operation.state === 'completed' && !isOfFile(read.found)
    ? piecesBody(withResults(read))
    : Promise.resolve(JSON.stringify(batchOperation(read.found)));
