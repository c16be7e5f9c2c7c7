import { z } from 'zod';

/** An exact amount of credits: a decimal with six places. */
const Credits = z
  .string()
  .regex(/^-?\d+\.\d{6}$/)
  .meta({ description: 'Credits, exact, with six decimals.' });

/** The wallet of the account that the key belongs to. */
export const AccountBalance = z.looseObject({
  object: z.literal('account.balance'),
  balance_credits: Credits,
  /** Set aside for operations that have not ended. */
  reserved_credits: Credits,
  /** What a further operation can reserve. */
  available_credits: Credits,
  /** What the account owes of refunds that its credits did not cover. */
  owed_credits: Credits,
});
export type AccountBalance = Readonly<z.infer<typeof AccountBalance>>;

/** What one group used in one period; a member of `group_by` says of which group. */
export const AccountUsage = z.looseObject({
  from: z.iso.datetime(),
  /** The end, excluded. */
  until: z.iso.datetime(),
  model: z.string().optional(),
  key_id: z.string().optional(),
  project_id: z.string().optional(),
  /** Operations that completed. */
  requests: z.int().min(0),
  charged_credits: Credits,
  /** What the host corrected afterwards; positive was given back. */
  corrected_credits: Credits,
  units: z.record(z.string(), z.number()),
});
export type AccountUsage = Readonly<z.infer<typeof AccountUsage>>;

/** One page of usage. */
export const AccountUsageList = z.looseObject({
  object: z.literal('list'),
  data: z.array(AccountUsage).readonly(),
  /** `after` of the next page; null at the end. */
  next: z.string().nullable(),
});
export type AccountUsageList = Readonly<z.infer<typeof AccountUsageList>>;

/** What the key may spend in one window, and how far it is. */
const AccountCap = z.looseObject({
  window: z.enum(['hour', 'day', 'week', 'month', 'total']),
  time_zone: z.string(),
  limit_credits: Credits,
  spent_credits: Credits,
  reserved_credits: Credits,
  remaining_credits: Credits,
  /** When the window ends; null for `total`. */
  resets_at: z.iso.datetime().nullable(),
});

const Rate = z.int().min(1).nullable();

const rates = { requests_per_minute: Rate, tokens_per_minute: Rate, concurrent_requests: Rate };

/** What all keys of a project, or of the account, share. Null is without a bound. */
const SharedLimits = z.looseObject(rates);

/** What the key may do. Null is without a bound of the key's own. */
export const AccountLimits = z.looseObject({
  object: z.literal('account.limits'),
  key_id: z.string(),
  models: z.array(z.string()).readonly().nullable(),
  expires_at: z.iso.datetime().nullable(),
  caps: z.array(AccountCap).readonly(),
  ...rates,
  project_limits: SharedLimits,
  account_limits: SharedLimits,
});
export type AccountLimits = Readonly<z.infer<typeof AccountLimits>>;
