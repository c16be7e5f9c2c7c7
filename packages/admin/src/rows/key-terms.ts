import { keyBounds, microsFromCredits, type KeyTerms } from '@tollgate/engine';
import { isConfigurationError } from '@tollgate/contract/configuration';
import { z } from 'zod';
import type { AdminContext } from '../admin-route.ts';
import { AdminError } from '../admin-error.ts';
import { Credits, GivenTime, Metadata } from '../records/fields.ts';
import { limitsField, limitsOf } from './limits-field.ts';

const Cap = z.strictObject({
  amount_credits: Credits,
  window: z.enum(['hour', 'day', 'week', 'month', 'total']),
  time_zone: z.string().exactOptional().meta({ description: 'IANA name; by default UTC.' }),
});

/** What bounds a key, as it is asked for; null takes a bound away. */
export const termsFields = {
  expires_at: GivenTime.nullable().exactOptional(),
  models: z
    .array(z.string())
    .max(keyBounds.modelsMax)
    .nullable()
    .exactOptional()
    .meta({ description: 'The models that the key may call.' }),
  cap: Cap.nullable().exactOptional().meta({ description: 'What the key may spend in each window of time.' }),
  limits: limitsField,
  metadata: Metadata.nullable().exactOptional(),
};

const TermsBody = z.object(termsFields);

/** The bounds of a key as the engine takes them. */
export const termsOf = (context: AdminContext, body: z.infer<typeof TermsBody>): KeyTerms => {
  const { expires_at: expiresAt, models, cap, limits, metadata } = body;
  return {
    expiresAtMs: typeof expiresAt === 'string' ? Date.parse(expiresAt) : expiresAt,
    models,
    metadata,
    cap: cap && { amountMicros: microsFromCredits(cap.amount_credits), window: cap.window, timeZone: cap.time_zone },
    limits: limitsOf(context, limits),
  };
};

/** What the engine refuses of a key, by the name that the field has here. */
export const byWireName = async <T>(
  { expires_at: expiresAt }: z.infer<typeof TermsBody>,
  run: Promise<T>,
): Promise<T> => {
  try {
    return await run;
  } catch (error) {
    if (isConfigurationError(error) && error.faults.some(({ place }) => place === 'expiresAtMs'))
      throw new AdminError(
        'invalid_request',
        `expires_at is ${expiresAt}, which is past; accepted is a time in the future, or null.`,
      );
    throw error;
  }
};
