import { creditsFromMicros, microsMax } from '@tollgate/engine';
import { z } from 'zod';

/** Credits of the largest amount, up and down. */
const creditsMax = creditsFromMicros(microsMax);

/** An amount of credits in decimal digits, at most six of them behind the point. */
export const Credits = z
  .string()
  .regex(/^-?\d{1,10}(?:\.\d{1,6})?$/)
  .refine((text) => Math.abs(Number(text)) <= creditsMax, `is at most ${creditsMax}`)
  .meta({ description: `Credits in decimal digits, such as "12.5", at most ${creditsMax}.`, example: '12.5' });

export const Time = z.iso.datetime({ offset: true });

/** An instant that a client names. */
export const GivenTime = z
  .string()
  .refine((given) => z.union([z.iso.datetime({ offset: true }), z.iso.date()]).safeParse(given).success)
  .meta({ description: 'ISO 8601, such as 2026-11-25 (in UTC) or 2026-11-25T08:00:00+01:00' });

export const Id = z.string().min(1).max(200);

const metadataEntriesMax = 20;

/** Texts of the host's own. */
export const Metadata = z
  .record(z.string(), z.string())
  .meta({ description: `At most ${metadataEntriesMax} texts of the host's own.`, maxProperties: metadataEntriesMax });

const nameCharsMax = 1_000;

export const Name = z.string().max(nameCharsMax);

/** Who made a record, and what for: the reference by which a repeat changes nothing. */
export const Reference = z.string().min(1).max(200).meta({
  description: 'Unique in the account: the same again changes nothing. The Idempotency-Key stands in for it.',
});

export const Usage = z.array(z.looseObject({ unit: z.string(), quantity: z.number() }));

/** A list, newest first. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z.looseObject({
    object: z.literal('list'),
    data: z.array(item),
    next: z
      .string()
      .nullable()
      .meta({ description: 'Send it as `after` for the page behind this one; null at the end.' }),
  });
