import { GatewayError, jsonBreachError, limits, type JsonBounds } from '@tollgate/contract';
import { mediaBlobKey, readBlob } from '@tollgate/engine';
import type { FileRecord } from '@tollgate/storage';
import { requireFile } from '../../../files/file-queries.ts';
import type { GatewayRequest } from '../../../gateway-request.ts';
import { readMediaJson } from '../../../media-json/read-media-json.ts';
import type { BatchOwner } from '../../batches/item-reader.ts';
import { atItemLater, type SentItem } from '../../batches/prepare-items.ts';
import { batchEndpoints } from './batch-endpoints.ts';
import { parseBatchLine, type FileBatchRequest } from './batch-request.ts';
import { readFileLines } from './file-lines.ts';
import { lineRequest } from './line-request.ts';

/** Counts values, at the most one more than are left. */
const countValues = (value: unknown, left: number): number => {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const child of Array.isArray(value) ? value : Object.values(value)) {
    if (count > left) return count;
    count += countValues(child, left - count);
  }
  return count;
};

/** All lines together may hold as many values as one body. */
const createLineBudget = (bounds: JsonBounds) => {
  let left = bounds.nodesMax;
  return (line: unknown): void => {
    left -= countValues(line, left);
    if (left < 0) throw jsonBreachError('nodes', bounds);
  };
};

/** The file of a batch, if it can be read now. */
export const requireBatchFile = async ({ service, access }: BatchOwner, id: string): Promise<FileRecord> => {
  const file = await requireFile(service, access, id);
  switch (file.status) {
    case 'active':
      break;
    case 'processing':
      throw new GatewayError('request_in_progress', { detail: 'The file of input_file_id is still being processed.' });
    case 'failed':
      throw new GatewayError('unsupported_content', { detail: 'The file of input_file_id has failed.' });
    case 'expired':
    case 'deleted':
      throw new GatewayError('not_found', { detail: 'The file of input_file_id has expired or was deleted.' });
  }
  if (file.mimeType !== 'text/plain')
    throw new GatewayError('unsupported_content', {
      detail: `The file of input_file_id is of the type ${file.mimeType}; accepted are files of text, with one request in JSON a line.`,
    });
  return file;
};

/** The requests in a file, and what to delete where they are not kept. */
export interface BatchLines {
  readonly sent: readonly SentItem[];
  readonly release: () => Promise<void>;
}

type ReadLine = Pick<SentItem, 'key' | 'body'>;

/** How the lines of one file are read. What long media a line has is put aside, and what deletes it goes to `releases`. */
const lineReader = (
  { service }: BatchOwner,
  asked: GatewayRequest,
  { endpoint }: FileBatchRequest,
  releases: (() => Promise<void>)[],
): ((bytes: Uint8Array) => Promise<ReadLine>) => {
  const { mediaPlaces, dataUrls } = batchEndpoints[endpoint];
  const places = mediaPlaces.map((place) => `body.${place}`);
  const options = { path: '/batches', bytesMax: limits.file.decodedBytesMax, places, dataUrls };
  const take = createLineBudget(service.bodyBounds);
  const keys = new Set<string>();
  return async (bytes) => {
    const { value, release } = await readMediaJson(service, lineRequest(asked, bytes), options);
    releases.push(release);
    take(value);
    const line = parseBatchLine(value, endpoint);
    if (keys.has(line.key))
      throw new GatewayError('invalid_request', {
        detail: 'The field custom_id repeats an earlier one; accepted are ids that differ.',
      });
    keys.add(line.key);
    return line;
  };
};

/** Reads every line of a file. What is refused names the line; nothing that was put aside of the file remains then. */
export const readBatchFile = async (
  owner: BatchOwner,
  asked: GatewayRequest,
  file: FileRecord,
  wanted: FileBatchRequest,
): Promise<BatchLines> => {
  const releases: (() => Promise<void>)[] = [];
  const release = async (): Promise<void> => {
    await Promise.all(releases.map((each) => each()));
  };
  const readLine = lineReader(owner, asked, wanted, releases);
  const chunks = readBlob(owner.service.engine, mediaBlobKey(file.id));
  const sent: SentItem[] = [];
  try {
    for await (const { number, bytes } of readFileLines(chunks, limits.batch.requestsMax)) {
      const where = `In line ${number} of the file`;
      sent.push({ where, ...(await atItemLater(where, () => readLine(bytes))) });
    }
  } catch (cause) {
    await release();
    throw cause;
  }
  return { sent, release };
};
