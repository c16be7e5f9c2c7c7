import { z } from 'zod';
import { Credits, Id, Time } from './fields.ts';

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
