import OpenAI, { toFile } from 'openai';
import type { Batch, BatchCreateParams } from 'openai/resources/batches';
import { expect } from 'vitest';
import { refuses, works, type Feature } from './client-table.ts';
import { boundModel, type RunningGateway } from './running-gateway.ts';

type Endpoint = BatchCreateParams['endpoint'];

const line = (url: Endpoint, custom_id: string, body: object): string =>
  JSON.stringify({ custom_id, method: 'POST', url, body: { model: boundModel, ...body } });

interface ResultLine {
  readonly custom_id: string;
  readonly response: { readonly status_code: number; readonly body: Readonly<Record<string, unknown>> } | null;
  readonly error: { readonly code: string } | null;
}

const say = (text: string) => `[[sandbox: echo ${text}]] [[sandbox: tokens in=30 out=12]]`;
const chat = (text: string) => ({ messages: [{ role: 'user', content: text }] });

/** What a client does with batches of a file. */
export const batchFeatures = (world: () => RunningGateway): readonly Feature[] => {
  const client = (key = world().key) => new OpenAI({ baseURL: world().baseUrl, apiKey: key, maxRetries: 0 });

  const upload = async (lines: readonly string[], openai = client()): Promise<string> => {
    const file = await toFile(Buffer.from(`${lines.join('\n')}\n`), 'batch.jsonl');
    return (await openai.files.create({ file, purpose: 'batch' })).id;
  };

  const create = async (endpoint: Endpoint, lines: readonly string[], openai = client(), rest: object = {}) =>
    openai.batches.create({ input_file_id: await upload(lines, openai), endpoint, completion_window: '24h' }, rest);

  const ended = async (id: string, openai = client()): Promise<Batch> => {
    for (;;) {
      await world().gateway.jobs.runDue();
      const batch = await openai.batches.retrieve(id);
      if (['completed', 'failed', 'cancelled'].includes(batch.status)) return batch;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };

  const linesOf = async (id: string | undefined, openai = client()): Promise<readonly ResultLine[]> => {
    const text = await (await openai.files.content(id ?? '')).text();
    return text
      .trimEnd()
      .split('\n')
      .map((each) => JSON.parse(each) as ResultLine);
  };

  const answered = async (endpoint: Endpoint, body: object, openai = client()) => {
    const { id } = await create(endpoint, [line(endpoint, 'a', body)], openai);
    const batch = await ended(id, openai);
    expect(batch).toMatchObject({
      status: 'completed',
      endpoint,
      request_counts: { total: 1, completed: 1, failed: 0 },
    });
    const [first] = await linesOf(batch.output_file_id, openai);
    expect(first).toMatchObject({ custom_id: 'a', response: { status_code: 200 }, error: null });
    return first?.response?.body;
  };

  return [
    works('batches of chats in a file: create, retrieve, results of each line, list', async () => {
      const url = '/v1/chat/completions';
      const lines = [line(url, 'a', chat(say('One.'))), '', line(url, 'b', chat('[[sandbox: fail]]'))];
      const openai = client();
      const fileId = await upload(lines);
      const created = await openai.batches.create({
        input_file_id: fileId,
        endpoint: url,
        completion_window: '24h',
        metadata: { night: 'first' },
      });
      expect(created).toMatchObject({ object: 'batch', input_file_id: fileId, metadata: { night: 'first' } });
      const batch = await ended(created.id);
      expect(batch).toMatchObject({ status: 'completed', request_counts: { total: 2, completed: 1, failed: 1 } });
      expect(await linesOf(batch.output_file_id)).toMatchObject([
        {
          custom_id: 'a',
          response: {
            body: {
              object: 'chat.completion',
              choices: [{ message: { content: 'One.' }, finish_reason: 'stop' }],
              usage: { prompt_tokens: 30, completion_tokens: 12, total_tokens: 42 },
            },
          },
        },
      ]);
      const [failed] = await linesOf(batch.error_file_id);
      expect(failed).toMatchObject({ custom_id: 'b', response: { body: { error: { code: expect.any(String) } } } });
      const output = await openai.files.retrieve(batch.output_file_id ?? '');
      expect(output).toMatchObject({ purpose: 'batch_output', status: 'processed' });
      const ids: string[] = [];
      for await (const { id } of openai.batches.list({ limit: 1 })) ids.push(id);
      expect(ids).toContain(created.id);
    }),
    works('batches of responses, completions and embeddings', async () => {
      expect(await answered('/v1/responses', { input: say('Two.') })).toMatchObject({
        object: 'response',
        output: [{ content: [{ text: 'Two.' }] }],
        usage: { input_tokens: 30, output_tokens: 12 },
      });
      expect(await answered('/v1/completions', { prompt: say('Three.') })).toMatchObject({
        object: 'text_completion',
        choices: [{ text: 'Three.' }],
      });
      const model = 'embedding-2';
      const openai = client(await world().newKey(model));
      const body = await answered('/v1/embeddings', { model, input: ['a', 'b'], dimensions: 256 }, openai);
      expect(body).toMatchObject({ object: 'list', data: [{ index: 0 }, { index: 1 }] });
    }),
    works('a batch once under its Idempotency-Key, also when its file is gone', async () => {
      const openai = client();
      const url = '/v1/chat/completions';
      const params = { input_file_id: await upload([line(url, 'a', chat(say('Once.')))]), endpoint: url } as const;
      const send = () =>
        openai.batches
          .create({ ...params, completion_window: '24h' }, { headers: { 'Idempotency-Key': 'batch-once' } })
          .withResponse();
      const first = await send();
      await ended(first.data.id);
      await openai.files.delete(params.input_file_id);
      const second = await send();
      expect([second.data.id, second.response.headers.get('idempotency-replayed')]).toEqual([first.data.id, 'true']);
    }),
    works('cancelling a batch', async () => {
      const url = '/v1/chat/completions';
      const { id } = await create(url, [line(url, 'a', chat('[[sandbox: slow 50]]'))]);
      await client().batches.cancel(id);
      const batch = await ended(id);
      expect(['cancelled', 'completed']).toContain(batch.status);
    }),
    refuses('a line that its own route would refuse', 'line 2', async () => {
      const url = '/v1/chat/completions';
      return create(url, [line(url, 'a', chat('Hi')), line(url, 'b', { messages: [] })]);
    }),
    refuses('batches of images', 'endpoint', async () => create('/v1/images/generations', [])),
  ];
};
