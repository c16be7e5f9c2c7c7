import { z } from 'zod';
import { isKeptText, isRecord, type JsonRecord } from '@tollgate/contract';
import type { Page } from '@tollgate/engine';
import type { IndexCursor } from '@tollgate/storage';
import { AdminError } from './admin-error.ts';

const cursorCharsMax = 400;

/** A place among the records of a list, as `next` of a page is sent. */
export const encodePlace = (place: object): string => Buffer.from(JSON.stringify(place), 'utf8').toString('base64url');

const decode = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
};

/** The place by an index that a client sent, or null for what is none. */
export const toIndexCursor = (value: unknown): IndexCursor | null => {
  if (!isRecord(value)) return null;
  const { order, id } = value;
  const isPlace = typeof order === 'number' && Number.isSafeInteger(order) && typeof id === 'string';
  return isPlace && isKeptText(id) ? { order, id } : null;
};

/** The place that `after` names, as `toPlace` reads it; refuses the text of no place. */
export const placeAfter = <T>(text: string | undefined, toPlace: (value: JsonRecord) => T | null): T | undefined => {
  if (text === undefined) return undefined;
  const value = decode(text);
  const place = isRecord(value) ? toPlace(value) : null;
  if (place === null) throw new AdminError('invalid_request', 'after is no `next` of a page before.');
  return place;
};

/** The place behind which a list goes on, as `next` of the page before has it. */
export const CursorParameter = z
  .string()
  .max(cursorCharsMax)
  .refine((text) => toIndexCursor(decode(text)) !== null, 'is no `next` of a page before')
  .exactOptional()
  .meta({ description: '`next` of the page before.' });

export const placeOf = (cursor: string | undefined): IndexCursor | undefined =>
  cursor === undefined ? undefined : (toIndexCursor(decode(cursor)) ?? undefined);

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
  next: next === null ? null : encodePlace({ order: next.order, id: next.id }),
});

/** A list that has no further pages. */
export const wholeList = <T>(items: readonly T[]): WirePage<T> => ({ object: 'list', data: items, next: null });
