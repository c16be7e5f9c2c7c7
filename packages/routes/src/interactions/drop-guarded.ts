import { dropPendingBlob, type ResourcePlan } from '@tollgate/engine';
import type { Service } from '../service.ts';

/** What was put aside for an interaction that was not opened; what cannot be removed now is the sweep's. */
export const dropGuarded = async ({ engine, logger }: Service, { guard }: ResourcePlan): Promise<void> => {
  for (const key of guard?.blobKeys ?? [])
    await dropPendingBlob(engine, key).catch((cause: unknown) =>
      logger.warn('a blob was left to the sweep', { key, cause }),
    );
};
