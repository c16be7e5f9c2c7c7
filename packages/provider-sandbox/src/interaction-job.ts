import { NotExecuted, type Interacted, type InteractionCall, type Step } from '@tollgate/provider';
import type { VideoPart } from './mp4-video.ts';
import type { FrameSide } from './h264-stream.ts';

/** What is made besides text, described so that any process makes the same bytes of it. */
export type MadeByJob =
  | { readonly kind: 'tune'; readonly text: string; readonly seconds: number }
  | { readonly kind: 'film'; readonly side: FrameSide; readonly parts: readonly VideoPart[] };

/** All that there is to know of an interaction, so that any process can go on with it. */
export interface InteractionJob {
  readonly id: string;
  /** Questions that are answered with "it goes on" before it is done. */
  readonly polls: number;
  /** Steps but for what is made. */
  readonly steps: readonly Step[];
  readonly made: MadeByJob | null;
  readonly status: Interacted['status'];
  readonly usage: Interacted['usage'];
  readonly reference: string;
  /** What came out is held back in the end, and nothing is charged. */
  readonly filtered: boolean;
}

const isJob = (value: unknown): value is InteractionJob =>
  typeof value === 'object' && value !== null && 'steps' in value && Array.isArray(value.steps) && 'polls' in value;

export const encodeJob = (job: InteractionJob): string => Buffer.from(JSON.stringify(job)).toString('base64url');

/** Throws for what no sandbox has begun. */
export const decodeJob = (text: string): InteractionJob => {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (isJob(value)) return value;
  } catch {
    // What is no JSON is no job either.
  }
  throw new NotExecuted({ reason: 'failed', cause: new Error('there is no such job') });
};

/** What carries an interaction out that `generate` cannot. */
export type JobFamily = 'music' | 'video' | 'transcription' | 'agent';

const families: readonly (readonly [RegExp, JobFamily])[] = [
  [/^lyria(?!.*realtime)/, 'music'],
  [/-transcribe$/, 'transcription'],
  [/-omni-/, 'video'],
  [/^(?:antigravity|deep-research)-/, 'agent'],
];

/** Told by the upstream's name of the model; undefined for one that generates. */
export const jobFamily = (upstreamModel: string): JobFamily | undefined =>
  families.find(([name]) => name.test(upstreamModel))?.[1];

/** The text that came in, in order. */
export const inputText = ({ input }: InteractionCall): string =>
  input
    .flatMap((step) => (step.kind === 'user_input' ? step.content : []))
    .map((content) => (content.kind === 'text' ? content.text : ''))
    .join('\n');
