import { z } from 'zod';
import { Credits, Id, Time } from './fields.ts';

export const BrowserToken = z
  .looseObject({
    id: Id,
    key_id: Id,
    project_id: Id,
    account_id: Id,
    origins: z.array(z.string()).nullable(),
    models: z.array(z.string()).nullable(),
    budget_credits: Credits.nullable(),
    created_at: Time,
    expires_at: Time,
    revoked_at: Time.nullable(),
  })
  .meta({ id: 'BrowserToken', description: 'A token for a page, without the token itself.' });

export const CreatedToken = z
  .looseObject({
    id: Id,
    token: z.string().meta({ description: 'The token itself. It is not shown again.' }),
    expires_at: Time,
  })
  .meta({ id: 'CreatedToken' });
