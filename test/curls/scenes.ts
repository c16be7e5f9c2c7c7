import { expect } from 'vitest';
import { mediaSamples } from '../clients/media-samples.ts';

/** Returns the JSON at an address of the gateway, below its origin. */
export type Ask = (address: string) => Promise<unknown>;

/** What the commands of a page need beside the address and the key, and what each gives to those after it. */
export interface Scene {
  /** Files in the folder in which a reader runs the commands. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** What a reader did before: a file of this text uploaded, whose id is `$FILE`. */
  readonly uploads?: string;
  /** What a reader takes out of a response into variables, by the number of the command. */
  readonly learn?: (command: number, body: unknown, ask: Ask) => Promise<Readonly<Record<string, string>>>;
  /** Each command of the administration has an account, a project, a key and more of its own. */
  readonly furnished?: boolean;
  /** The model that the key is bound to, where the page says so. */
  readonly model?: string;
}

/** A text in a response. */
export const textAt = (body: unknown, ...at: readonly string[]): string => {
  const found = at.reduce<unknown>(
    (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : null),
    body,
  );
  return typeof found === 'string' ? found : '';
};

/** The id at the end of a name, such as `batches/17`. */
const lastPart = (name: string): string => name.split('/').at(-1) ?? '';

/** Waits until a record has a text in this place. */
const awaited = async (ask: Ask, address: string, ...at: readonly string[]): Promise<string> => {
  let found = '';
  const look = async (): Promise<string> => (found = textAt(await ask(address), ...at));
  await expect.poll(look).not.toBe('');
  return found;
};

/** Variables out of single responses: the name, the number of the command and where the text is in its response. */
const taking =
  (...taken: readonly (readonly [name: string, command: number, ...at: string[]])[]): NonNullable<Scene['learn']> =>
  (command, body) =>
    Promise.resolve(
      Object.fromEntries(
        taken.filter(([, number]) => number === command).map(([name, , ...at]) => [name, textAt(body, ...at)]),
      ),
    );

/** Names of Google's resources end in the id. */
const ofGoogle: NonNullable<Scene['learn']> = async (command, body, ask) => {
  const name = textAt(body, 'name');
  if (command === 2 || command === 7 || command === 9) return { ID: lastPart(name) };
  if (command === 6) return { STORE: lastPart(name) };
  if (command !== 4) return {};
  return { RESPONSES_FILE: await awaited(ask, `/v1beta/${name}`, 'metadata', 'output', 'responsesFile') };
};

/** The file of a batch, its id, and the file with its results. */
const ofBatches: NonNullable<Scene['learn']> = async (command, body, ask) => {
  if (command === 1) return { FILE: textAt(body, 'id') };
  if (command !== 2) return {};
  const id = textAt(body, 'id');
  return { ID: id, OUTPUT: await awaited(ask, `/api/v1/ai/batches/${id}`, 'output_file_id') };
};

/** The id of a video that has ended. */
const ofVideos: NonNullable<Scene['learn']> = async (command, body, ask) => {
  if (command !== 1) return {};
  const id = textAt(body, 'id');
  await expect.poll(async () => textAt(await ask(`/api/v1/ai/videos/${id}`), 'status')).toBe('completed');
  return { ID: id };
};

const png = Buffer.from(mediaSamples.png, 'base64');
const line = (url: string): string =>
  JSON.stringify({
    custom_id: 'a',
    method: 'POST',
    url,
    body: { model: 'flash-3.8', messages: [{ role: 'user', content: 'Good day.' }] },
  });

/** Pages without a row need the address and a key only. */
export const scenes: Readonly<Record<string, Scene>> = {
  'administration.md': { furnished: true },
  'get-started.md': { learn: taking(['REQUEST_ID', 1, 'service', 'request_id']) },
  'google-clients.md': {
    uploads: JSON.stringify({ key: 'a', request: { contents: [{ parts: [{ text: 'Hi' }] }] } }),
    learn: ofGoogle,
  },
  'prices.md': { files: { 'next.json': JSON.stringify({ version: 'next', models: { '*': { perMillion: {} } } }) } },
  'routes/batches.md': { files: { 'requests.jsonl': line('/v1/chat/completions') }, learn: ofBatches },
  'routes/images.md': { files: { 'ferry.png': png } },
  'routes/messages.md': { learn: taking(['ID', 3, 'id']) },
  'routes/responses.md': { learn: taking(['ID', 3, 'id']) },
  'routes/stores.md': { uploads: 'The lock opens at nine.', learn: taking(['STORE', 1, 'id']) },
  'routes/videos.md': {
    files: { 'first.png': png },
    learn: ofVideos,
    model: 'video-3.1-lite-generate-preview',
  },
};
