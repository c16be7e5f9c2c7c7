import { createHash } from 'node:crypto';
import { Agent, get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { send } from '../torture/client.ts';
import type { KindsFacts, ToldRecord } from './kinds-facts.ts';
import type { ReferenceUpstream } from './reference-upstream.ts';

/** Records asked for at once. */
const batchConnections = 8;

interface Members {
  readonly status: unknown;
  readonly charged_credits: unknown;
  readonly result: unknown;
}

/** What of a record is true for good once it has ended. */
const lasting = (body: string): string => {
  // One of the gateway's own records; what is missing is equal to nothing that was reported.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { status, charged_credits: credits, result } = JSON.parse(body) as Members;
  return JSON.stringify([status, credits, result]);
};

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const download = (origin: string, { path, id, key }: ToldRecord): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` };
    const request = get(`${origin}/api/v1/ai${path}/${id}/content?index=0`, { headers }, (response) => {
      buffer(response).then(resolve, reject);
    });
    request.on('error', reject);
  });

/** A completed video must have the bytes that the reference upstream made for one of its jobs. */
const lostVideo = async (origin: string, told: ToldRecord, hashes: ReadonlySet<string>): Promise<readonly string[]> => {
  const bytes = await download(origin, told);
  return hashes.has(sha256(bytes)) ? [] : [`video ${told.id}: its download has ${bytes.length} other bytes`];
};

const checkOne = async (
  origin: string,
  agent: Agent,
  told: ToldRecord,
  hashes: ReadonlySet<string>,
): Promise<readonly string[]> => {
  const headers = { authorization: `Bearer ${told.key}` };
  const answer = await send(agent, origin, { method: 'GET', path: `${told.path}/${told.id}`, headers, body: '' });
  if (answer?.status !== 200 || lasting(answer.body) !== lasting(told.body))
    return [`${told.way} ${told.id}: now ${answer?.body}, but told was ${told.body}`];
  const isVideo = told.way === 'video' && told.body.includes('"status":"completed"');
  return isVideo ? lostVideo(origin, told, hashes) : [];
};

/** Every record that was reported as ended must be reported again, with the same result and credits, unless it was deleted. */
export const findUntold = async (
  origin: string,
  facts: KindsFacts,
  reference: ReferenceUpstream,
): Promise<readonly string[]> => {
  const agent = new Agent({ keepAlive: true });
  const hashes = new Set(reference.jobs().map((job) => sha256(reference.media(job))));
  const found: string[] = [];
  const waiting = [...facts.ended.values()].filter(({ id }) => !facts.removed.has(id)).values();
  // The loops share one iterator, so each record is asked for by the next free one.
  const lane = async (): Promise<void> => {
    for (const told of waiting) found.push(...(await checkOne(origin, agent, told, hashes)));
  };
  await Promise.all(Array.from({ length: batchConnections }, lane));
  agent.destroy();
  return found;
};
