import { GatewayError, isKeptText, limits, listError, refusedValue, type Path } from '@tollgate/contract';
import { present } from '../../../present.ts';
import type { LineForm } from '../../batches/read-batch-file.ts';
import { checkModelAt, displayNameAt, fieldsAt, type Fields } from '../google-fields.ts';
import { fromEmbedContent } from '../models/to-embedding-body.ts';

export type BatchMethod = 'batchGenerateContent' | 'asyncBatchEmbedContent';

/** A batch of this dialect as the body of POST /batches, and what its client wants back beside each response. */
export interface BatchBody {
  readonly body: Fields;
  /** By the place of the request; empty where no request has any. */
  readonly metadata: readonly (Fields | null)[];
}

const { requestsMax, keyCharsMax } = limits.batch;
/** Characters of the metadata of one request, as JSON. */
const metadataCharsMax = 512;

const metadataAt = (value: unknown, path: Path): Fields | null => {
  if (value === undefined || value === null) return null;
  const isObject = typeof value === 'object' && !Array.isArray(value);
  if (!isObject || Object.values(value).some((member) => typeof member !== 'string'))
    throw refusedValue('invalid_request', { path, value, accepted: 'is an object of texts' });
  const text = JSON.stringify(value);
  if (text.length > metadataCharsMax || !text.isWellFormed() || text.includes('\\u0000'))
    throw refusedValue('invalid_request', {
      path,
      value,
      accepted: `is an object of texts, of at most ${metadataCharsMax} characters as JSON`,
    });
  return { ...value };
};

const requestsOf = (config: Fields): readonly unknown[] => {
  const path = ['batch', 'inputConfig'];
  const { requests } = fieldsAt(config['requests'], [...path, 'requests'], ['requests']);
  if (!Array.isArray(requests) || requests.length === 0 || requests.length > requestsMax)
    throw listError([...path, 'requests', 'requests'], requests, [1, requestsMax]);
  return requests;
};

/** What the request of an item is in the contract; the model stands in the path. */
const requestAt = (value: unknown, path: Path, asked: { readonly model: string; readonly method: BatchMethod }) => {
  if (asked.method === 'asyncBatchEmbedContent') {
    const { model: _model, ...request } = fromEmbedContent(value, asked.model);
    return request;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refusedValue('invalid_request', { path, value, accepted: 'is an object' });
  const { model: named, ...request }: Fields = { ...value };
  checkModelAt(named, [...path, 'model'], asked.model);
  return request;
};

/** A batch whose requests lie in a file of the project. */
export interface BatchOfFile {
  readonly fileId: string;
  readonly displayName: string | null;
}

const fileField = 'batch.inputConfig.fileName';

const fileIdAt = (config: Fields): string => {
  const { fileName } = config;
  if (config['requests'] !== undefined)
    throw new GatewayError('invalid_request', {
      detail: `The field ${fileField} cannot stand beside requests; accepted is one of the two.`,
    });
  if (typeof fileName !== 'string' || !/^files\/.{1,128}$/.test(fileName))
    throw refusedValue('invalid_request', {
      path: ['batch', 'inputConfig', 'fileName'],
      value: fileName,
      accepted: 'is files/<file_id>',
    });
  return fileName.slice('files/'.length);
};

/** How the file of a batch is named, and what a line of it is: `{key, request}`, in either spelling. */
export const batchLineForm = (model: string, method: BatchMethod): LineForm => ({
  field: fileField,
  keyField: 'key',
  mediaPlaces: ['contents.*.parts.*', 'content.parts.*'].flatMap((part) => [
    `request.${part}.inlineData.data`,
    `request.${part}.inline_data.data`,
  ]),
  dataUrls: false,
  parse: (line) => {
    const { key, request } = fieldsAt(line, [], ['key', 'request']);
    if (typeof key !== 'string' || key === '' || key.length > keyCharsMax || !isKeptText(key))
      throw refusedValue('invalid_request', {
        path: ['key'],
        value: key,
        accepted: `is text of 1 to ${keyCharsMax} characters`,
      });
    return { key, body: requestAt(request, ['request'], { model, method }) };
  },
});

/** The body of `:batchGenerateContent` or `:asyncBatchEmbedContent`. Items of the body have their places as keys. */
export const fromBatch = (value: unknown, model: string, method: BatchMethod): BatchBody | BatchOfFile => {
  const { batch } = fieldsAt(value, [], ['batch']);
  const fields = fieldsAt(batch, ['batch'], ['model', 'displayName', 'inputConfig']);
  checkModelAt(fields['model'], ['batch', 'model'], model);
  const displayName = displayNameAt(fields['displayName'], ['batch', 'displayName']);
  const config = fieldsAt(fields['inputConfig'], ['batch', 'inputConfig'], ['requests', 'fileName']);
  if (config['fileName'] !== undefined) return { fileId: fileIdAt(config), displayName };
  const list = requestsOf(config);
  const items = list.map((item, place) => {
    const path = ['batch', 'inputConfig', 'requests', 'requests', place];
    const { request, metadata } = fieldsAt(item, path, ['request', 'metadata']);
    return {
      metadata: metadataAt(metadata, [...path, 'metadata']),
      item: { key: String(place), request: requestAt(request, [...path, 'request'], { model, method }) },
    };
  });
  const metadata = items.map((each) => each.metadata);
  return {
    body: { ...present('display_name', displayName), requests: items.map(({ item }) => item) },
    metadata: metadata.every((each) => each === null) ? [] : metadata,
  };
};
