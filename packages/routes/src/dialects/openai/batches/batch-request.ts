import { GatewayError, isKeptText, isRecord, limits, readAt, type JsonRecord } from '@tollgate/contract';
import { z } from 'zod';
import { Metadata } from '../metadata.ts';
import { batchEndpoints, type BatchEndpoint } from './batch-endpoints.ts';

const idCharsMax = 128;

const endpoints = Object.keys(batchEndpoints);

const isEndpoint = (text: string): text is BatchEndpoint => Object.hasOwn(batchEndpoints, text);

/** The body of `POST /batches` as these clients send it. A result is kept as long as every result of a batch, so it has no time of its own. */
const FileBatchBody = z.strictObject({
  input_file_id: z.string().min(1).max(idCharsMax),
  endpoint: z.string().max(idCharsMax),
  completion_window: z.literal('24h'),
  metadata: Metadata,
});

/** What a client asks of a batch of a file. */
export interface FileBatchRequest {
  readonly inputFileId: string;
  readonly endpoint: BatchEndpoint;
  readonly metadata: z.infer<typeof Metadata>;
}

export const parseFileBatch = (body: unknown): FileBatchRequest => {
  const { input_file_id: inputFileId, endpoint, metadata } = readAt(FileBatchBody, body);
  if (!isEndpoint(endpoint))
    throw new GatewayError('invalid_request', {
      detail: `The field endpoint names a path that takes no batches; accepted are ${endpoints.join(', ')}.`,
    });
  return { inputFileId, endpoint, metadata };
};

const Line = z.strictObject({
  custom_id: z.string().min(1).max(limits.batch.keyCharsMax).refine(isKeptText),
  method: z.literal('POST'),
  url: z.string().max(idCharsMax),
  body: z.custom<JsonRecord>(isRecord),
});

/** One line of the file of a batch. */
export const parseBatchLine = (
  line: unknown,
  endpoint: BatchEndpoint,
): { readonly key: string; readonly body: unknown } => {
  const { custom_id: key, url, body } = readAt(Line, line);
  if (url !== endpoint)
    throw new GatewayError('invalid_request', {
      detail: `The field url is another path than the endpoint of the batch; accepted is ${endpoint}.`,
    });
  return { key, body };
};
