import type { ResourceRecord } from '@tollgate/storage';
import type { BatchWork } from '../../../packages/engine/src/resources/batch/batch-work.ts';
import { videoWork } from '../../../packages/engine/src/resources/video/video-work.ts';

/** How far work is that is handed over as a whole. */
export type Progress =
  | { readonly phase: 'asked'; readonly tries: number }
  | { readonly phase: 'submitting' }
  | { readonly phase: 'running'; readonly polls: number; readonly startedAtMs: number }
  /** It is done, or what becomes of it is decided. */
  | { readonly phase: 'over' };

const ofVideo = (record: ResourceRecord): Progress => {
  const work = videoWork(record.work);
  return work === null || 'closing' in work || work.phase === 'done' ? { phase: 'over' } : work;
};

const isBatchWork = (work: unknown): work is BatchWork =>
  typeof work === 'object' && work !== null && 'upstream' in work;

const ofBatch = ({ work }: ResourceRecord): Progress => {
  if (!isBatchWork(work)) return { phase: 'over' };
  return work.upstream ?? { phase: 'asked', tries: work.round };
};

export const progressOf = (record: ResourceRecord): Progress =>
  record.kind === 'video' ? ofVideo(record) : ofBatch(record);

/** What is further is never undone, but for a try that is known not to have run. */
export const rankOf = (progress: Progress): number => {
  switch (progress.phase) {
    case 'asked':
      return 2 * progress.tries;
    case 'submitting':
      return 1;
    case 'running':
      return 1_000 + progress.polls;
    case 'over':
      return 1_000_000;
  }
};
