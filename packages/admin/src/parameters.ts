import { z } from 'zod';
import { listRowsMax } from '@tollgate/storage';
import { GivenTime } from './records/fields.ts';
import { CursorParameter, placeOf } from './cursor.ts';

const Limit = z
  .string()
  .regex(/^[1-9]\d{0,2}$/)
  .refine((text) => Number(text) <= listRowsMax, `is a whole number from 1 to ${listRowsMax}`)
  .exactOptional()
  .meta({ description: `Items of a page: 1 to ${listRowsMax}, by default ${listRowsMax}.` });

/** Parameters of every list that has pages. */
export const pageParameters = { after: CursorParameter, limit: Limit };

const TimeParameter = GivenTime.exactOptional();

/** Parameters of lists that are limited to a time. */
export const rangeParameters = { from: TimeParameter, until: TimeParameter };

const searchCharsMax = 200;

export const searchParameter = {
  search: z.string().max(searchCharsMax).exactOptional().meta({ description: 'A part of a name, an id or a text.' }),
};

interface PageInput {
  readonly after?: string;
  readonly limit?: string;
}

export const pageOf = ({ after, limit }: PageInput) => ({
  after: placeOf(after),
  limit: limit === undefined ? undefined : Number(limit),
});

interface RangeInput {
  readonly from?: string;
  readonly until?: string;
}

const msOf = (time: string | undefined): number | undefined => (time === undefined ? undefined : Date.parse(time));

/** From the first instant to the one before the end. */
export const rangeOf = ({ from, until }: RangeInput) => ({ fromMs: msOf(from), untilMs: msOf(until) });
