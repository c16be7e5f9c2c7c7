import { samplePdf } from '../fakes/sample-pdf.ts';
import { okJson, type Answer, type Json } from './answer.ts';
import { createdJson, upload } from './file-ask.ts';
import type { Ask, GatewayWorld } from './gateway-world.ts';

type More = Omit<Ask, 'path' | 'body'>;

export const createStore = (world: GatewayWorld, body: unknown = {}, more: More = {}): Promise<Answer> =>
  world.send({ ...more, path: '/stores', body });

/** The id of a store that was created just now. */
export const storeId = async (world: GatewayWorld, more: More = {}): Promise<string> =>
  okJson(await createStore(world, {}, more))
    .at('id')
    .text();

export const createDocument = (world: GatewayWorld, body: unknown, more: More = {}): Promise<Answer> =>
  world.send({ ...more, path: '/documents', body });

export const getOne = async (world: GatewayWorld, kind: 'stores' | 'documents', id: string): Promise<Json> =>
  okJson(await world.send({ path: `/${kind}/${id}` }));

export const deleteOne = (
  world: GatewayWorld,
  kind: 'stores' | 'documents',
  id: string,
  more: More = {},
): Promise<Answer> => world.send({ ...more, method: 'DELETE', path: `/${kind}/${id}` });

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** Uploads a plain text, or pages as a PDF, and returns its id. */
export const textFileId = async (
  world: GatewayWorld,
  text: string | readonly string[],
  more: More = {},
): Promise<string> => {
  const body =
    typeof text === 'string'
      ? { display_name: 'notes.txt', mime_type: 'text/plain', data: base64(Buffer.from(text)) }
      : { display_name: 'handbook.pdf', mime_type: 'application/pdf', data: base64(samplePdf(text)) };
  return createdJson(await upload(world, body, more))
    .at('id')
    .text();
};

/** The id of a document that was created just now of a text, or of pages. */
export const documentId = async (
  world: GatewayWorld,
  store: string,
  text: string | readonly string[] = 'Ships wait at anchor.',
): Promise<string> =>
  okJson(await createDocument(world, { store, file: await textFileId(world, text) }))
    .at('id')
    .text();

/** Far enough for every pause between two tries to be over. */
const triesPauseMs = 300_000;

export const workOnDocuments = async (world: GatewayWorld, rounds = 1): Promise<void> => {
  for (let round = 0; round < rounds; round += 1) {
    await world.runJobs();
    world.time.advance(triesPauseMs);
  }
};
