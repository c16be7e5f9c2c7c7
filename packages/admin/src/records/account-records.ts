import { z } from 'zod';
import { Credits, Id, Metadata, Time } from './fields.ts';

export const accountStatuses = ['active', 'inactive', 'blocked', 'closed'] as const;
export const projectStatuses = ['active', 'paused', 'blocked', 'closed'] as const;
export const keyStatuses = ['active', 'inactive', 'revoked'] as const;

/** What a limiter allows; null where there are none of its own. */
const Limits = z.record(z.string(), z.number()).nullable();

export const Account = z
  .looseObject({
    id: Id,
    name: z.string(),
    status: z.enum(accountStatuses),
    metadata: Metadata.nullable(),
    created_at: Time,
    closed_at: Time.nullable(),
    plan: z.string().nullable().meta({ description: 'The plan of the price lists by which it is charged.' }),
    limits: Limits,
  })
  .meta({ id: 'Account' });

export const BalanceAlert = z.looseObject({ id: Id, low_balance_credits: Credits.nullable() }).meta({
  id: 'BalanceAlert',
  description: 'The balance below which the host hears of an account; null takes that of the gateway.',
});

export const Wallet = z
  .looseObject({ id: Id, balance_credits: Credits, reserved_credits: Credits })
  .meta({ id: 'Wallet', description: 'Balance, and what of it running operations hold.' });

export const ClosedAccount = z.looseObject({ account: Account, wallet: Wallet }).meta({ id: 'ClosedAccount' });

export const WalletChange = z
  .looseObject({ repeated: z.boolean(), wallet: Wallet })
  .meta({ id: 'WalletChange', description: 'The wallet, and whether the reference was known already.' });

export const Entry = z
  .looseObject({
    seq: z.int(),
    kind: z.enum(['deposit', 'debit', 'compensation']),
    amount_credits: Credits,
    balance_credits: Credits.meta({ description: 'After this entry.' }),
    operation_id: Id.nullable(),
    key_id: Id.nullable(),
    model: z.string().nullable(),
    reference: z.string().nullable(),
    created_at: Time,
  })
  .meta({ id: 'Entry' });

export const Project = z
  .looseObject({
    id: Id,
    account_id: Id,
    name: z.string(),
    status: z.enum(projectStatuses),
    metadata: Metadata.nullable(),
    created_at: Time,
    closed_at: Time.nullable(),
    limits: Limits,
  })
  .meta({ id: 'Project' });

export const Quotas = z
  .looseObject({
    quotas: z.record(z.string(), z.number()),
    used: z.record(z.string(), z.number()),
  })
  .meta({ id: 'Quotas', description: 'What a project may keep, and how much of it is used.' });

const keyFields = {
  id: Id,
  project_id: Id,
  account_id: Id,
  name: z.string(),
  model: z.string().nullable(),
  status: z.enum(keyStatuses),
  created_at: Time,
  revoked_at: Time.nullable(),
  expires_at: Time.nullable(),
  models: z.array(z.string()).nullable(),
  cap: z.looseObject({ amount_credits: Credits, window: z.string(), time_zone: z.string() }).nullable(),
  limits: Limits,
  metadata: Metadata.nullable(),
  last_used_at: Time.nullable(),
};

export const Key = z.looseObject(keyFields).meta({ id: 'Key' });

export const CreatedKey = z
  .looseObject({
    ...keyFields,
    key: z.string().nullable().meta({ description: 'The key itself. It is not shown again.' }),
  })
  .meta({ id: 'CreatedKey' });
