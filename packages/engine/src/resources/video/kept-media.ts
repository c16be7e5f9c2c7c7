import type { ResourceRecord } from '@tollgate/storage';
import type { KeptMedium } from '../keep-media.ts';
import { videoWork } from './video-work.ts';

/** Work that a settlement waits with is kept inside its closing. */
const closedWork = (work: unknown): unknown => {
  const closing = typeof work === 'object' && work !== null && 'closing' in work ? work.closing : null;
  return typeof closing === 'object' && closing !== null && 'work' in closing ? closing.work : work;
};

/** The videos that lie in the blob store, in the order in which they are numbered. */
export const keptMedia = ({ work }: ResourceRecord): readonly KeptMedium[] => {
  const done = videoWork(closedWork(work));
  return done?.phase === 'done' ? done.media : [];
};
