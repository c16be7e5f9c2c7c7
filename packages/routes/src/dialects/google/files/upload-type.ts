import { GatewayError } from '@tollgate/contract';

/** A type is part of the address of an upload, which is a header. */
const mimeTypeCharsMax = 255;

/** What clients call a file of lines of JSON, such as the requests of a batch: a text. */
const lineTypes: ReadonlySet<string> = new Set([
  'jsonl',
  'application/jsonl',
  'application/x-jsonlines',
  'application/x-ndjson',
]);

/** The type of an upload as files of the project have it. */
export const uploadType = (told: string): string => {
  if (told.length > mimeTypeCharsMax)
    throw new GatewayError('invalid_request', {
      detail: `The type of the file has ${told.length} characters; accepted are at most ${mimeTypeCharsMax}.`,
    });
  return lineTypes.has(told.toLowerCase()) ? 'text/plain' : told;
};
