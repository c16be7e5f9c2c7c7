import type { CallContext, Interacted, InteractionCall } from '@tollgate/provider';
import { sampleCaller } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { sandboxProvider } from './sandbox-provider.ts';

const context: CallContext = { caller: sampleCaller, signal: new AbortController().signal, recordAttempt: () => {} };

const callOf = (upstreamModel: string, text: string, change: Partial<InteractionCall> = {}): InteractionCall => ({
  operationId: 'one',
  upstreamModel,
  upstreamKind: 'model',
  input: [{ kind: 'user_input', content: [{ kind: 'text', text }] }],
  history: [],
  previousReference: null,
  systemInstruction: null,
  tools: [],
  format: { kind: 'text' },
  sampling: {},
  outputTokensMax: 1_000,
  ...change,
});

const start = async (call: InteractionCall): Promise<string> =>
  (await sandboxProvider().interactions.start(call, context)).job;

/** Each question is asked of another sandbox, as by another process. */
const finish = async (begun: string): Promise<Interacted> => {
  let job = begun;
  for (;;) {
    const progress = await sandboxProvider().interactions.poll(job, context);
    if (progress.kind === 'done') return progress.result;
    job = progress.job ?? job;
  }
};

const run = async (call: InteractionCall): Promise<Interacted> => finish(await start(call));

const mediumOf = ({ steps }: Interacted) => {
  const output = steps.at(-1);
  const content = output?.kind === 'model_output' ? output.content[0] : undefined;
  return content?.kind === 'media' ? content : undefined;
};

const wav = { kind: 'media', mimeType: 'audio/wav', data: Buffer.alloc(100).toString('base64') } as const;

const takes = (name: string) => sandboxProvider().takesInteraction(name);

test('takes the models that do not generate text', () => {
  expect(
    ['lyria-3.5', 'gemini-omni-1.1-flash', 'gemini-3.5-transcribe', 'antigravity-preview-05-2026'].map(takes),
  ).toEqual([true, true, true, true]);
  expect(['gemini-2.5-flash', 'lyria-realtime-exp', 'gemini-2.5-flash-image'].map(takes)).toEqual([
    false,
    false,
    false,
  ]);
});

test('plays the same tune for the same words: a real WAV file, metered by the piece or by its seconds', async () => {
  const [one, again, other] = await Promise.all([
    run(callOf('lyria-3.5', 'A waltz')),
    run(callOf('lyria-3.5', 'A waltz')),
    run(callOf('lyria-3.5', 'A march')),
  ]);
  const bytes = Buffer.from(mediumOf(one)?.data ?? '', 'base64');
  expect([bytes.toString('latin1', 0, 4), bytes.toString('latin1', 8, 12)]).toEqual(['RIFF', 'WAVE']);
  expect(bytes.length).toBe(44 + 30 * 24_000 * 2);
  expect(mediumOf(again)?.data).toBe(mediumOf(one)?.data);
  expect(mediumOf(other)?.data).not.toBe(mediumOf(one)?.data);
  expect(one.usage).toContainEqual({ unit: 'music_seconds', quantity: 30, confirmed: true });
  expect((await run(callOf('lyria-3-clip-preview', 'A waltz'))).usage).toContainEqual({
    unit: 'music_clips',
    quantity: 1,
    confirmed: true,
  });
});

test('makes a real MP4 file in the size that was asked for, and goes on from no video that is not there', async () => {
  const call = callOf('gemini-omni-1.1-flash', 'A harbour', { format: { kind: 'video', resolution: '360p' } });
  const made = await run(call);
  expect(Buffer.from(mediumOf(made)?.data ?? '', 'base64').toString('latin1', 4, 8)).toBe('ftyp');
  expect(made.usage).toContainEqual({ unit: 'video_seconds', quantity: 8, confirmed: true });
  for (const refused of [
    { ...call, format: { kind: 'video', resolution: '9k' } as const },
    { ...call, videoTask: 'extend' as const },
  ])
    await expect(start(refused)).rejects.toMatchObject({ reason: 'invalid_request' });
});

test('writes down what it hears, with the times of words where they are asked for', async () => {
  const heard = [{ kind: 'user_input', content: [wav] }] as const;
  const transcription = { mode: { kind: 'verbatim', timestampGranularities: ['word'] } } as const;
  const { steps, usage } = await run(callOf('gemini-3.5-transcribe', '', { input: heard, transcription }));
  expect(steps).toMatchObject([
    { content: [{ text: 'Sandbox transcript of 100 bytes in en-US.', annotations: { length: 7 } }] },
  ]);
  expect(usage).toContainEqual({ unit: 'input_audio_seconds', quantity: 1, confirmed: true });
  await expect(start(callOf('gemini-3.5-transcribe', 'Nothing'))).rejects.toMatchObject({ reason: 'invalid_request' });
});

const agent = (text: string, change: Partial<InteractionCall> = {}): InteractionCall =>
  callOf('antigravity-preview-05-2026', text, { upstreamKind: 'agent', ...change });

test('an agent thinks, searches, runs code and reports', async () => {
  const tools = [{ kind: 'web_search' }, { kind: 'code_execution' }] as const;
  const { steps, status, usage } = await run(agent('[[sandbox: code print(2 + 2)]] Why?', { tools }));
  expect(status).toBe('completed');
  expect(steps.map((step) => ('tool' in step ? `${step.tool} ${step.kind}` : step.kind))).toEqual([
    'thought',
    'web_search tool_call',
    'web_search tool_result',
    'code_execution tool_call',
    'code_execution tool_result',
    'model_output',
  ]);
  expect(steps[4]).toMatchObject({ result: '4\n' });
  expect(usage).toContainEqual({ unit: 'web_search_queries', quantity: 1, confirmed: true });
});

test('an agent waits for the functions that it is asked to call', async () => {
  const { steps, status } = await run(agent('[[sandbox: tool f {"a":1}]]'));
  expect(status).toBe('requires_action');
  expect(steps.at(-1)).toMatchObject({ kind: 'function_call', name: 'f', arguments: '{"a":1}' });
});

test('goes on for as many questions as the directive says, measures and ends as the directive says', async () => {
  const sandbox = sandboxProvider();
  const { job } = await sandbox.interactions.start(agent('[[sandbox: polls 1]] [[sandbox: tokens out=7]]'), context);
  expect(await sandbox.interactions.poll(job, context)).toMatchObject({ kind: 'running' });
  expect((await finish(job)).usage).toContainEqual({ unit: 'output_text_tokens', quantity: 7, confirmed: true });
  await sandbox.interactions.cancel?.(job, context);
  expect(await sandbox.interactions.poll(job, context)).toMatchObject({ result: { status: 'cancelled' } });
});

test('knows no job that it did not begin', async () => {
  for (const job of ['', 'a job', Buffer.from('{}').toString('base64url')])
    await expect(sandboxProvider().interactions.poll(job, context)).rejects.toMatchObject({ reason: 'failed' });
});
