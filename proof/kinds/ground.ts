import type { Storage } from '@tollgate/storage';
import { createGateway, type Gateway } from 'tollgate';
import { openStore, type StoreChoice } from '../torture/store-choice.ts';
import { callsModel, jobsModel, kindsOptions, videoModel } from './kinds-gateway.ts';
import type { Ground } from './ways.ts';

/** The database, opened in this process: nothing is served and no job runs. */
export interface OpenedKinds {
  readonly storage: Storage;
  readonly gateway: Gateway;
}

export const openKinds = async (choice: StoreChoice, referenceUrl: string): Promise<OpenedKinds> => {
  const storage = await openStore(choice);
  return { storage, gateway: await createGateway({ ...kindsOptions(referenceUrl), storage }) };
};

const balanceMicros = 900_000_000_000_000n;
const files = 4;

const createKeys = async ({ admin }: Gateway) => {
  const { id: accountId } = await admin.createAccount({ name: 'kinds' });
  await admin.deposit({ accountId, amountMicros: balanceMicros, reference: 'first' });
  const project = await admin.createProject({ accountId, name: 'kinds' });
  const keys: Record<string, string> = {};
  for (const model of [callsModel, jobsModel, videoModel]) {
    const key = project === null ? null : await admin.createKey({ projectId: project.id, model });
    if (key === null) throw new Error('no key could be made');
    keys[model] = key.key;
  }
  return { accountId, keys };
};

const post = async (gateway: Gateway, key: string, path: string, body: unknown): Promise<string> => {
  const response = await gateway.fetch(
    new Request(`http://localhost/api/v1/ai${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
  // Sound: what is created has an id.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (answer as { readonly id: string }).id;
};

/** Different texts, each of several chunks. */
const textOf = (at: number): string =>
  Array.from({ length: 40 }, (_, line) => `Line ${line} of handbook ${at} says that ships wait at anchor.`).join('\n');

/** Makes what resources need: an account, keys, stores and files. */
export const createGround = async ({ gateway }: OpenedKinds): Promise<Ground> => {
  const { accountId, keys } = await createKeys(gateway);
  const [calls = '', jobs = ''] = [keys[callsModel], keys[jobsModel]];
  const upload = (at: number): Promise<string> =>
    post(gateway, calls, '/files', {
      display_name: `handbook-${at}.txt`,
      mime_type: 'text/plain',
      data: Buffer.from(textOf(at)).toString('base64'),
    });
  return {
    accountId,
    keys,
    stores: { own: await post(gateway, calls, '/stores', {}), upstream: await post(gateway, jobs, '/stores', {}) },
    files: await Promise.all(Array.from({ length: files }, (_, at) => upload(at))),
  };
};
