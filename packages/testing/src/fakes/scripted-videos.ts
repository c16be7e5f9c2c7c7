import { NotExecuted, type GeneratedMedia, type GeneratedVideos, type JobProgress } from '@tollgate/provider';
import type { ScriptedAnswer } from './scripted-step.ts';

const chunkBytes = 50_000;
const chunks = 4;

/** The bytes of a scripted video: longer than a chunk of any store, and nowhere the same. */
export const scriptedVideoBytes: Uint8Array = Uint8Array.from(
  { length: chunkBytes * chunks - 1 },
  (_, at) => (at * 7 + (at >> 8)) & 0xff,
);

async function* readVideo(): AsyncGenerator<Uint8Array, void> {
  for (let from = 0; from < scriptedVideoBytes.length; from += chunkBytes) {
    // No upstream sends everything at once.
    await Promise.resolve();
    yield scriptedVideoBytes.slice(from, from + chunkBytes);
  }
}

/** A video as the scripted provider makes it. */
export const scriptedVideo = (reference: string | null): GeneratedMedia => ({
  mimeType: 'video/mp4',
  read: readVideo,
  reference,
});

/** How long a scripted video is where no length was requested. */
const secondsDefault = 8;

/** The job holds all that a poll must know, so that any process can ask for it. */
export const scriptedJob = (operationId: string, seconds: number | undefined): string =>
  `${operationId}/${seconds ?? secondsDefault}`;

const jobPattern = /^([\w-]+)\/(\d+)/;

/** What a poll of a job comes to: done, unless its step says otherwise. */
export const scriptedProgress = (
  job: string,
  { jobProgress, videos }: ScriptedAnswer,
): JobProgress<GeneratedVideos> => {
  const [, operationId, seconds] = jobPattern.exec(job) ?? [];
  if (operationId === undefined)
    throw new NotExecuted({ reason: 'failed', cause: new Error('a job that was never begun') });
  if (jobProgress !== undefined) return jobProgress;
  const result: GeneratedVideos = {
    videos: [scriptedVideo(`note of ${operationId}`)],
    usage: [{ unit: 'video_seconds', quantity: Number(seconds), confirmed: true }],
    ...videos,
  };
  return { kind: 'done', result };
};
