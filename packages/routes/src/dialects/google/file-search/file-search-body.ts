import { GatewayError, refusedValue, type Path } from '@tollgate/contract';
import { displayNameAt, fieldsAt, modelAt, type Fields } from '../google-fields.ts';

const unsupported = (field: string, accepted: string): GatewayError =>
  new GatewayError('unsupported_parameter', {
    detail: `The field ${field} is not supported: ${accepted}`,
  });

/** What a document of the gateway has no place for. */
const notHeld = {
  customMetadata: 'a document has no metadata; accepted is a request without it.',
  chunkingConfig: 'the gateway splits a text in its own way; accepted is a request without it.',
} as const;

const heldFieldsAt = (value: unknown, names: readonly string[]): Fields => {
  const fields = fieldsAt(value, [], [...names, ...Object.keys(notHeld)]);
  for (const [name, why] of Object.entries(notHeld)) if (fields[name] !== undefined) throw unsupported(name, why);
  return fields;
};

/** The body of `POST fileSearchStores`. */
export const parseFileSearchStore = (value: unknown) => {
  const fields = fieldsAt(value, [], ['displayName', 'embeddingModel']);
  return {
    displayName: displayNameAt(fields['displayName'], ['displayName']),
    embeddingModel: modelAt(fields['embeddingModel'], ['embeddingModel']),
  };
};

/** A store is indexed by the model that the gateway chooses for it; a client may name that one. */
export const checkEmbeddingModel = (named: string | undefined, model: string): void => {
  if (named !== undefined && named !== model)
    throw unsupported(
      'embeddingModel',
      `the gateway chooses the model of a store; accepted is models/${model}, or none.`,
    );
};

const textAt = (value: unknown, path: Path): string => {
  if (typeof value === 'string' && value !== '') return value;
  throw refusedValue('invalid_request', { path, value, accepted: 'is files/<file>' });
};

/** The file of the body of `:importFile`, by its id. */
export const parseImportFile = (value: unknown): string =>
  textAt(heldFieldsAt(value, ['fileName'])['fileName'], ['fileName'])
    .replace(/^files\//, '')
    .toLowerCase();

/** What the body of `:uploadToFileSearchStore` says of the file. */
export const parseUploadToStore = (value: unknown) => {
  const { displayName, mimeType } = heldFieldsAt(value, ['displayName', 'mimeType']);
  if (mimeType !== undefined && typeof mimeType !== 'string')
    throw refusedValue('invalid_request', { path: ['mimeType'], value: mimeType, accepted: 'is text' });
  return { displayName: displayNameAt(displayName, ['displayName']) ?? undefined, mimeType };
};
