import { z } from 'zod';
import { Id } from './fields.ts';

export const Caller = z
  .looseObject({
    role: z.enum(['operator', 'owner']),
    name: z.string(),
    account_id: Id.nullable(),
    project_ids: z.array(Id).nullable(),
  })
  .meta({ id: 'Caller' });

export const Audit = z
  .looseObject({
    accounts: z.int(),
    operations: z.int(),
    entries: z.int(),
    violations: z.array(z.looseObject({ rule: z.string(), account_id: z.string(), detail: z.string() })),
    busy: z.array(z.string()),
  })
  .meta({ id: 'Audit', description: 'Every rule of the ledger that does not hold, of every account.' });

export const Sweep = z
  .looseObject({
    marked_uncertain: z.int(),
    resumed: z.int(),
    settled: z.int(),
    purged: z.int(),
    more: z.boolean(),
  })
  .meta({ id: 'Sweep', description: 'What one round of the background work did.' });

export const Settled = z.looseObject({ settled: z.int() }).meta({ id: 'Settled' });
