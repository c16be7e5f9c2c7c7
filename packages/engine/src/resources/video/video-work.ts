import { draftResource, type ResourceDraft } from '../../decisions/resource-draft.ts';
import { workReader } from '../../decisions/stored-values.ts';
import type { RunningJob } from '../../workers/provider-job.ts';
import type { KeptMedium } from '../keep-media.ts';
import type { StoredMedia } from '../stored-media.ts';

/** What a client asked for, as it is kept until it is handed over. */
export interface VideoOrder {
  readonly prompt: string | null;
  readonly image: StoredMedia | null;
  readonly lastFrame: StoredMedia | null;
  readonly references: readonly { readonly media: StoredMedia; readonly type: 'asset' | 'style' }[];
  /** The id of the video that is continued, or null. */
  readonly extends: string | null;
  readonly durationSeconds: number | null;
  readonly resolution: string | null;
  readonly aspectRatio: string | null;
  readonly negativePrompt: string | null;
  readonly seed: number | null;
}

/** How far a video is; each is durable before what follows it is done. */
export type VideoWork =
  | { readonly phase: 'asked'; readonly order: VideoOrder; readonly tries: number }
  /** It may have been handed over: who finds this after a death cannot know. */
  | { readonly phase: 'submitting' }
  | ({ readonly phase: 'running' } & RunningJob)
  | { readonly phase: 'done'; readonly provider: string; readonly media: readonly KeptMedium[] };

/** The work of a video's record, or null where it holds none. */
export const videoWork = workReader<VideoWork>('phase');

/** Large media that came with the order. */
export const orderMedia = ({ image, lastFrame, references }: VideoOrder): readonly StoredMedia[] => [
  ...(image === null ? [] : [image]),
  ...(lastFrame === null ? [] : [lastFrame]),
  ...references.map(({ media }) => media),
];

// videos:record:fields
/** A video as it is created: nothing of it was submitted. `publicFields` never hold content. */
export const openVideo = (order: VideoOrder, publicFields: ResourceDraft['publicFields']): ResourceDraft<VideoWork> =>
  draftResource({
    kind: 'video',
    publicFields,
    work: { phase: 'asked', order, tries: 0 },
  });
