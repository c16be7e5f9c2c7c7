import { operationStates } from '@tollgate/contract';
import { z } from 'zod';
import { Credits, Id, Time, Usage } from './fields.ts';

const Attempt = z.looseObject({
  provider: z.string(),
  started_at: Time,
  duration_ms: z.number(),
  status: z.number().nullable(),
  outcome: z.string(),
});

const Verdict = z.looseObject({
  kind: z.string(),
  amount_credits: Credits,
  usage: Usage.nullable(),
  by: z.string().nullable(),
  reason: z.string().nullable(),
  reference: z.string().nullable(),
  decided_at: Time,
});

/** What an owner sees of an operation. */
const shared = {
  id: Id,
  project_id: Id,
  account_id: Id,
  key_id: Id,
  kind: z.string(),
  model: z.string(),
  identity: z.string().nullable(),
  state: z.enum(operationStates),
  hold_credits: Credits,
  charged_credits: Credits,
  service_tier: z.string().nullable().meta({ description: 'How it asked to be served; null where it did not say.' }),
  served_tier: z
    .string()
    .nullable()
    .meta({ description: 'How the upstream says that it was served; null where it was not asked or does not say.' }),
  usage: Usage.nullable(),
  error_code: z.string().nullable(),
  created_at: Time,
  ended_at: Time.nullable(),
};

export const Operation = z
  .looseObject({
    ...shared,
    attempts: z.array(Attempt).exactOptional().meta({ description: 'Upstream requests; for operators only.' }),
    usage_at_least: Usage.nullable().exactOptional().meta({ description: 'For operators only.' }),
    verdict: Verdict.nullable().exactOptional().meta({ description: 'For operators only.' }),
  })
  .meta({ id: 'Operation' });

export const OperationPart = z
  .looseObject({
    part: z.string(),
    state: z.enum(['known', 'nothing', 'unknown']),
    usage_at_least: Usage.nullable(),
    upstream_ids: z.array(z.string()),
    providers: z.array(z.string()),
    from: Time.nullable(),
    until: Time.nullable(),
  })
  .meta({ id: 'OperationPart' });

export const OperationLife = z
  .looseObject({
    operation: Operation,
    events: z.array(
      z.looseObject({ kind: z.enum(['opened', 'attempt', 'verdict', 'ended', 'delivery']), at: Time }).meta({
        description: 'In the order of time; the other members follow from the kind.',
      }),
    ),
    parts: z.array(OperationPart),
    uncertain: z
      .looseObject({ kind: z.string() })
      .nullable()
      .meta({ description: 'Why it is uncertain; null where it is not.' }),
    event_pending: z.boolean(),
  })
  .meta({ id: 'OperationLife' });

export const StoredAnswer = z
  .looseObject({ text: z.string().nullable(), partial: z.boolean() })
  .meta({ id: 'StoredAnswer' });

export const VerdictPreview = z
  .looseObject({ amount_credits: Credits, usage: Usage.nullable() })
  .meta({ id: 'VerdictPreview', description: 'What the verdict would charge.' });

export const Resolved = z
  .looseObject({ repeated: z.boolean(), operation: Operation })
  .meta({ id: 'Resolved', description: 'The operation as decided, and whether it was so before.' });

export const Anomaly = z
  .looseObject({
    id: Id,
    operation_id: Id,
    account_id: Id,
    code: z.string(),
    detail: z.unknown(),
    created_at: Time,
  })
  .meta({ id: 'Anomaly' });

export const Reconciliation = z
  .looseObject({
    rows: z.int(),
    proposals: z.array(
      z.looseObject({
        operation: Operation,
        proposal: z.looseObject({ kind: z.string() }),
        amount_credits: Credits.nullable(),
        answer: z.string().nullable(),
      }),
    ),
    more: z.boolean(),
    differences_count: z.int(),
    unmatched_count: z.int(),
  })
  .meta({ id: 'Reconciliation' });
