import { GatewayError, jsonBreachError, limits, type JsonBounds } from '@tollgate/contract';
import { mediaBlobKey, readBlob } from '@tollgate/engine';
import type { FileRecord } from '@tollgate/storage';
import { requireFile } from '../../files/file-queries.ts';
import type { GatewayRequest } from '../../gateway-request.ts';
import { readMediaJson } from '../../media-json/read-media-json.ts';
import type { BatchOwner } from './item-reader.ts';
import { atItemLater, type SentItem } from './prepare-items.ts';
import { readFileLines } from './file-lines.ts';
import { lineRequest } from './line-request.ts';

/** How a wire names the file of a batch, and what its lines are. */
export interface LineForm {
  /** The field that names the file. */
  readonly field: string;
  /** The field of a line that is its key. */
  readonly keyField: string;
  /** Where base64 stands in a line. */
  readonly mediaPlaces: readonly string[];
  readonly dataUrls: boolean;
  readonly parse: (line: unknown) => ReadLine;
}

type ReadLine = Pick<SentItem, 'key' | 'body'>;

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
export const requireBatchFile = async (
  { service, access }: BatchOwner,
  { id, field }: { readonly id: string; readonly field: string },
): Promise<FileRecord> => {
  const file = await requireFile(service, access, id);
  switch (file.status) {
    case 'active':
      break;
    case 'processing':
      throw new GatewayError('request_in_progress', { detail: `The file of ${field} is still being processed.` });
    case 'failed':
      throw new GatewayError('unsupported_content', { detail: `The file of ${field} has failed.` });
    case 'expired':
    case 'deleted':
      throw new GatewayError('not_found', { detail: `The file of ${field} has expired or was deleted.` });
  }
  if (file.mimeType !== 'text/plain')
    throw new GatewayError('unsupported_content', {
      detail: `The file of ${field} is of the type ${file.mimeType}; accepted are files of text, with one request in JSON a line.`,
    });
  return file;
};

/** The requests in a file, and what to delete where they are not kept. */
export interface BatchLines {
  readonly sent: readonly SentItem[];
  readonly release: () => Promise<void>;
}

/** How the lines of one file are read. What long media a line has is put aside, and what deletes it goes to `releases`. */
const lineReader = (
  { service }: BatchOwner,
  asked: GatewayRequest,
  { keyField, mediaPlaces, dataUrls, parse }: LineForm,
  releases: (() => Promise<void>)[],
): ((bytes: Uint8Array) => Promise<ReadLine>) => {
  const options = { path: '/batches', bytesMax: limits.file.decodedBytesMax, places: mediaPlaces, dataUrls };
  const take = createLineBudget(service.bodyBounds);
  const keys = new Set<string>();
  return async (bytes) => {
    const { value, release } = await readMediaJson(service, lineRequest(asked, bytes), options);
    releases.push(release);
    take(value);
    const line = parse(value);
    if (keys.has(line.key))
      throw new GatewayError('invalid_request', {
        detail: `The field ${keyField} repeats an earlier one; accepted are ones that differ.`,
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
  form: LineForm,
): Promise<BatchLines> => {
  const releases: (() => Promise<void>)[] = [];
  const release = async (): Promise<void> => {
    await Promise.all(releases.map((each) => each()));
  };
  const readLine = lineReader(owner, asked, form, releases);
  const chunks = readBlob(owner.service.engine, mediaBlobKey(file.id));
  const sent: SentItem[] = [];
  try {
    for await (const { number, bytes } of readFileLines(chunks, {
      linesMax: limits.batch.requestsMax,
      field: form.field,
    })) {
      const where = `In line ${number} of the file`;
      sent.push({ where, ...(await atItemLater(where, () => readLine(bytes))) });
    }
  } catch (cause) {
    await release();
    throw cause;
  }
  return { sent, release };
};
