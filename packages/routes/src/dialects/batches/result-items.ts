import { GatewayError, isRecord, type JsonRecord } from '@tollgate/contract';
import type { FoundResource } from '@tollgate/engine';
import { oneChunk } from '@tollgate/storage';
import type { BodyTurn } from '../../body-turns.ts';
import type { Service } from '../../service.ts';
import { splitResults } from './split-results.ts';

/** How one request of a batch ended. */
export type ItemResult = { readonly key: string } & (
  | {
      readonly status: 'completed';
      /** As its own route writes it, with the member that holds its credits. */
      readonly response: JsonRecord;
    }
  | { readonly status: 'failed'; readonly code: string; readonly message: string }
  | { readonly status: 'cancelled' }
);

const recordOf = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

const toResult = (service: Service, { operation }: FoundResource, text: string): ItemResult => {
  const { key: name, status, response, error, credits } = recordOf(JSON.parse(text));
  const key = String(name);
  if (status === 'cancelled') return { key, status };
  if (status !== 'completed') {
    const { code, message } = recordOf(error);
    return { key, status: 'failed', code: String(code), message: String(message) };
  }
  const receipt = { request_id: operation.id, project_id: operation.projectId, credits };
  return { key, status, response: { ...recordOf(response), [service.brand]: receipt } };
};

const gone = (): GatewayError =>
  new GatewayError('not_found', { detail: 'The results of the batch are not stored any more.' });

const chunksOf = async (service: Service, { result, large }: FoundResource): Promise<AsyncIterable<Uint8Array>> => {
  if (result !== null) return oneChunk(Buffer.from(result));
  if (large === undefined) throw gone();
  const range = { fromByte: 0, toByte: large.bytes };
  const blob = await service.engine.storage.blobs.getStream(large.blobKey, range);
  if (blob === undefined) throw gone();
  return blob.chunks;
};

/** A batch, for a request that reads its results. */
export interface ReadBatch {
  readonly service: Service;
  readonly found: FoundResource;
  /** The turns of the request. */
  readonly turn: BodyTurn | undefined;
}

/** The results of a batch that has ended, one by one. Throws where they are not stored any more. */
export async function* resultItems({ service, found, turn }: ReadBatch): AsyncGenerator<ItemResult, void> {
  for await (const text of splitResults(await chunksOf(service, found), turn)) yield toResult(service, found, text);
}
