import type { Attempt, Usage } from '@tollgate/provider';

/** Where the upstream requests of one trial go: what certainly did not run at once, the others once it is known what they count as. */
export interface TrialRecord {
  readonly note: (attempt: Attempt) => void;
  /** They count as those of any call. */
  readonly release: () => void;
  readonly abandon: () => void;
  readonly isAbandoned: () => boolean;
  /** Puts those of an abandoned trial on record, with what they used. Nothing goes on record afterwards. */
  readonly close: (usage: readonly Usage[]) => void;
}

const isCertain = ({ outcome }: Attempt): boolean => outcome === 'refused' || outcome === 'not_sent';

export const createTrialRecord = (record: (attempt: Attempt) => void): TrialRecord => {
  const kept: Attempt[] = [];
  let fate: 'open' | 'released' | 'abandoned' | 'closed' = 'open';
  return {
    note: (attempt) => {
      if (fate === 'closed') return;
      if (fate === 'released' || isCertain(attempt)) record(attempt);
      else kept.push(attempt);
    },
    release: () => {
      if (fate !== 'open') return;
      fate = 'released';
      for (const attempt of kept) record(attempt);
    },
    abandon: () => {
      if (fate === 'open') fate = 'abandoned';
    },
    isAbandoned: () => fate === 'abandoned' || fate === 'closed',
    close: (usageAtLeast) => {
      if (fate !== 'abandoned') return;
      fate = 'closed';
      for (const [place, attempt] of kept.entries()) {
        // The last of them is the one that was given up.
        const isLast = place === kept.length - 1;
        record({ ...attempt, abandoned: true, usageAtLeast: isLast ? usageAtLeast : [] });
      }
    },
  };
};
