import { z } from 'zod';
import { keptText } from '../../fields/kept-text.ts';
import { generateBounds } from '../../limits.ts';
import { parseStrictBody } from '../../http/strict-body.ts';

// stores:body:display-name
/** The body of POST /stores. */
export const StoreRequestBody = z.strictObject({
  display_name: keptText(generateBounds.textFieldCharsMax).exactOptional(),
});

// documents:body:fields
/** The body of POST /documents. */
export const DocumentRequestBody = z.strictObject({
  store: z.uuid().meta({ description: 'The store that it is to be found in.' }),
  file: z.uuid().meta({ description: 'An active file of the project: PDF or plain text.' }),
});

/** A checked store. */
export interface StoreRequest {
  readonly displayName: string | null;
}

/** A checked document: the ids of its store and its file. */
export interface DocumentRequest {
  readonly store: string;
  readonly file: string;
}

/** Reads the parsed JSON body of POST /stores. Throws nothing but a `GatewayError` whose message names the field. */
export const parseStoreRequest = (value: unknown): StoreRequest => ({
  displayName: parseStrictBody(StoreRequestBody, value).display_name ?? null,
});

/** Reads the parsed JSON body of POST /documents. Throws nothing but a `GatewayError` whose message names the field. */
export const parseDocumentRequest = (value: unknown): DocumentRequest => {
  const { store, file } = parseStrictBody(DocumentRequestBody, value);
  // Ids are written in small letters, and capital letters mean the same.
  return { store: store.toLowerCase(), file: file.toLowerCase() };
};
