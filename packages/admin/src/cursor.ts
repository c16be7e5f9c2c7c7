import { z } from 'zod';
import { isKeptText, isRecord } from '@tollgate/contract';
import type { Page } from '@tollgate/engine';
import type { IndexCursor } from '@tollgate/storage';

const cursorCharsMax = 400;

const decode = (text: string): IndexCursor | null => {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (!isRecord(value)) return null;
    const { order, id } = value;
    const isPlace = typeof order === 'number' && Number.isSafeInteger(order) && typeof id === 'string';
    return isPlace && isKeptText(id) ? { order, id } : null;
  } catch {
    return null;
  }
};

/** The place behind which a list goes on, as `next` of the page before has it. */
export const CursorParameter = z
  .string()
  .max(cursorCharsMax)
  .refine((text) => decode(text) !== null, 'is no `next` of a page before')
  .exactOptional()
  .meta({ description: '`next` of the page before.' });

export const placeOf = (cursor: string | undefined): IndexCursor | undefined =>
  cursor === undefined ? undefined : (decode(cursor) ?? undefined);

const cursorOf = ({ order, id }: IndexCursor): string =>
  Buffer.from(JSON.stringify({ order, id }), 'utf8').toString('base64url');

/** A page as it is sent. */
export interface WirePage<T> {
  readonly object: 'list';
  readonly data: readonly T[];
  /** Null at the end. */
  readonly next: string | null;
}

export const wirePage = <T>({ items, next }: Page<T>): WirePage<T> => ({
  object: 'list',
  data: items,
  next: next === null ? null : cursorOf(next),
});

/** A list that has no further pages. */
export const wholeList = <T>(items: readonly T[]): WirePage<T> => ({ object: 'list', data: items, next: null });
