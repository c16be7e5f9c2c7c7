import assert from 'node:assert/strict';
import { jsonOf, type Answer, type Json } from './answer.ts';
import { batchSettings } from './batch-ask.ts';
import { createdJson, upload } from './file-ask.ts';
import type { Ask, GatewayWorld } from './gateway-world.ts';

/** Batches in the forms of the dialects, at the prices of batches. */
export const wireBatchSettings = { ...batchSettings, compatibility: { openai: true, anthropic: true } } as const;

/** Credits of an amount. */
export const credits = (micros: bigint): number => Number(micros) / 1_000_000;

export const balanceMicros = async (world: GatewayWorld): Promise<bigint> =>
  (await world.wallet.read(world.accountId)).balanceMicros;

export const chatUrl = '/v1/chat/completions';
export const chat = (content: string, more: object = {}) => ({ messages: [{ role: 'user', content }], ...more });
/** One line of a file. */
export const line = (custom_id: string, body: object = chat('Hello'), url: string = chatUrl): object => ({
  custom_id,
  method: 'POST',
  url,
  body,
});

export const uploadLines = async (world: GatewayWorld, lines: readonly unknown[]): Promise<string> => {
  const text = lines.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n');
  const data = Buffer.from(text).toString('base64');
  return createdJson(await upload(world, { display_name: 'a.jsonl', mime_type: 'text/plain', data }))
    .at('id')
    .text();
};

/** A batch of a file. */
export const batchOfFile = (
  world: GatewayWorld,
  input_file_id: string,
  more: Partial<Ask> & { readonly url?: string } = {},
) => {
  const { url = chatUrl, ...rest } = more;
  const body = { input_file_id, endpoint: url, completion_window: '24h', metadata: { night: 'first' } };
  return world.send({ path: '/batches', body, ...rest });
};

export const batchOfLines = async (world: GatewayWorld, lines: readonly unknown[], url = chatUrl): Promise<Answer> =>
  batchOfFile(world, await uploadLines(world, lines), { url });

/** The lines of a download. */
export const jsonLines = (answer: Answer): readonly Json[] => {
  assert.equal(answer.status, 200, answer.text);
  return answer.text.split('\n').flatMap((each) => (each === '' ? [] : [jsonOf(JSON.parse(each))]));
};

export const contentOf = (world: GatewayWorld, id: unknown): Promise<Answer> =>
  world.send({ path: `/files/${String(id)}/content` });
