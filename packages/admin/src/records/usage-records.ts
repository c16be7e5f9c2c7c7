import { z } from 'zod';
import { Credits, Id, Time } from './fields.ts';

const Unpriced = z.strictObject({
  reason: z.enum(['no_price', 'beyond_amounts', 'decided', 'no_usage']),
  requests: z.int(),
  charged_credits: Credits,
});

export const PricedUsage = z
  .looseObject({
    account_id: Id,
    plan: z.string().nullable(),
    model: z.string(),
    requests: z.int().meta({ description: 'Those that have a price by the list.' }),
    charged_credits: Credits.meta({ description: 'What these were charged.' }),
    priced_credits: Credits.meta({ description: 'What the list charges for them.' }),
    unpriced: z.array(Unpriced),
  })
  .meta({ id: 'PricedUsage', description: 'What operations cost, and would cost by another price list.' });

export const Usage = z
  .looseObject({
    from: Time,
    until: Time,
    account_id: Id.exactOptional(),
    project_id: Id.exactOptional(),
    key_id: Id.exactOptional(),
    model: z.string().exactOptional(),
    provider: z.string().exactOptional(),
    requests: z.int(),
    charged_credits: Credits,
    corrected_credits: Credits,
    units: z.record(z.string(), z.number()),
  })
  .meta({ id: 'Usage', description: 'What one group used in one period.' });
