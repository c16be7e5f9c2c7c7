import { createHash } from 'node:crypto';
import type { CallContext, GeneratedVideos, VideoCall } from '@tollgate/provider';
import { sampleCaller } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { sandboxProvider } from './sandbox-provider.ts';

const context: CallContext = { caller: sampleCaller, signal: new AbortController().signal, recordAttempt: () => {} };
const call: VideoCall = { operationId: 'one', upstreamModel: 'model', prompt: 'A harbour at night.' };

const start = async (change: Partial<VideoCall> = {}): Promise<string> =>
  (await sandboxProvider().videos.start({ ...call, ...change }, context)).job;

/** Each question is asked of another sandbox, as by another process. */
const finish = async (begun: string): Promise<GeneratedVideos> => {
  let job = begun;
  for (;;) {
    const progress = await sandboxProvider().videos.poll(job, context);
    if (progress.kind === 'done') return progress.result;
    job = progress.job ?? job;
  }
};

const bytesOf = async ({ videos: [video] }: GeneratedVideos): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  if (video !== undefined) for await (const chunk of video.read()) chunks.push(chunk);
  return Buffer.concat(chunks);
};

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function* nothing(): AsyncGenerator<Uint8Array> {}
const video = { kind: 'blob', mimeType: 'video/mp4', sizeBytes: 0, read: nothing } as const;

test('makes the same video of the same call in any process, and another of another', async () => {
  const [one, again, other, seeded] = await Promise.all(
    [{}, {}, { prompt: 'A lighthouse.' }, { seed: 7 }].map(async (change) =>
      hashOf(await bytesOf(await finish(await start(change)))),
    ),
  );
  expect(again).toBe(one);
  expect(new Set([one, other, seeded]).size).toBe(3);
});

test('measures the seconds that were asked for, or what the prompt says', async () => {
  expect((await finish(await start({ durationSeconds: 4 }))).usage).toEqual([
    { unit: 'video_seconds', quantity: 4, confirmed: true },
  ]);
  expect((await finish(await start({ prompt: '[[sandbox: tokens video_seconds=3]]' }))).usage).toEqual([
    { unit: 'video_seconds', quantity: 3, confirmed: true },
  ]);
});

test('continues its own video by seven seconds, in its size, and no other', async () => {
  const source = (await finish(await start({ aspectRatio: '9:16', durationSeconds: 4 }))).videos[0];
  const longer = await finish(
    await start({ prompt: 'It rains.', extends: { video, reference: source?.reference ?? null } }),
  );
  expect(longer.usage).toEqual([{ unit: 'video_seconds', quantity: 7, confirmed: true }]);
  const bytes = await bytesOf(longer);
  const header = bytes.indexOf('mvhd', 0, 'latin1');
  expect(bytes.readUInt32BE(header + 20)).toBe(11_000);
  for (const reference of [null, 'not a note'])
    await expect(start({ extends: { video, reference } })).rejects.toMatchObject({ reason: 'unsupported' });
});

test('refuses what cannot be made before it begins', async () => {
  for (const change of [
    { resolution: '9k' },
    { aspectRatio: 'wide' },
    { durationSeconds: 601 },
    { prompt: '[[sandbox: echo a]]' },
  ])
    await expect(start(change)).rejects.toMatchObject({ code: 'not_executed', reason: 'invalid_request' });
});

test('knows no job that it did not begin', async () => {
  for (const job of ['', 'a job', Buffer.from('{"parts":[],"width":1}').toString('base64url')])
    await expect(sandboxProvider().videos.poll(job, context)).rejects.toMatchObject({ reason: 'failed' });
});

const image = (text: string) =>
  ({ kind: 'media', mimeType: 'image/png', data: Buffer.from(text).toString('base64') }) as const;

async function* read(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('one');
}

test('depends on every byte of the media that it is given', async () => {
  const large = { kind: 'blob', mimeType: 'image/png', sizeBytes: 3, read } as const;
  const jobs = await Promise.all([
    start({ image: image('one') }),
    start({ image: image('two') }),
    start({ image: large }),
  ]);
  expect(new Set(jobs).size).toBe(3);
});
