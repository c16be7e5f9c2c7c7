import { accountUsageGroups, limits, type AccountUsageGroup } from '@tollgate/contract';
import type { UsageQuery } from '@tollgate/engine';
import type { UsageCursor, UsageDimension } from '@tollgate/storage';
import type { GatewayRequest } from '../gateway-request.ts';
import { invalidParameter, knownParameters } from './account-query.ts';

const hourMs = 3_600_000;
const rangeDefaultMs = 30 * 24 * hourMs;
/** Days of one range at the most. */
const rangeDaysMax = 1_100;
/** Rows of one page. */
const limitMax = limits.list.recordsMax;
const parameters = ['from', 'until', 'group_by', 'limit', 'after'] as const;

/** What stands in `next`: the range as well, so that a range that was left out does not move between two pages. */
interface Place extends UsageCursor {
  readonly rangeFromMs: number;
  readonly rangeUntilMs: number;
}

const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

const instantOf = (name: string, text: string): number => {
  const ms = iso.test(text) ? Date.parse(text) : NaN;
  if (!Number.isSafeInteger(ms) || ms < 0 || ms % hourMs !== 0)
    throw invalidParameter(name, 'an ISO 8601 time with its zone, on a whole hour, such as 2026-11-01T00:00:00Z');
  return ms;
};

const isGroup = (word: string): word is AccountUsageGroup => accountUsageGroups.some((group) => group === word);

const groupsOf = (text: string | undefined): readonly AccountUsageGroup[] => {
  const words = text === undefined || text === '' ? [] : text.split(',');
  const groups = words.filter(isGroup);
  if (groups.length !== words.length || new Set(groups).size !== groups.length)
    throw invalidParameter('group_by', `some of ${accountUsageGroups.join(', ')}, each once, separated by commas`);
  return groups;
};

const dimensions = { model: 'model', key: 'keyId', project: 'projectId' } as const satisfies Record<
  Exclude<AccountUsageGroup, 'day'>,
  UsageDimension
>;

const limitOf = (text: string | undefined): number => {
  const limit = text === undefined ? limitMax : /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > limitMax) throw invalidParameter('limit', `a whole number from 1 to ${limitMax}`);
  return limit;
};

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value % hourMs === 0;

const isUnknownList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const listIn = (text: string): readonly unknown[] => {
  try {
    const value: unknown = JSON.parse(text);
    return isUnknownList(value) ? value : [];
  } catch {
    return [];
  }
};

const placeOf = (text: string, groups: number): Place => {
  const parts = listIn(Buffer.from(text, 'base64url').toString('utf8'));
  const [rangeFromMs, rangeUntilMs, fromMs, ...rest] = parts;
  const values = rest.filter((value) => typeof value === 'string');
  const isOurs = isTime(rangeFromMs) && isTime(rangeUntilMs) && isTime(fromMs) && values.length === rest.length;
  if (!isOurs || values.length !== groups || fromMs < rangeFromMs || fromMs >= rangeUntilMs)
    throw invalidParameter('after', 'the next of a page of the same query');
  return { rangeFromMs, rangeUntilMs, fromMs, values };
};

/** The `next` of a page. */
export const usagePlace = ({ fromMs, untilMs }: UsageQuery, place: UsageCursor): string =>
  Buffer.from(JSON.stringify([fromMs, untilMs, place.fromMs, ...place.values])).toString('base64url');

interface Range {
  readonly fromMs: number;
  readonly untilMs: number;
}

const rangeOf = (given: ReadonlyMap<string, string>, place: Place | null, nowMs: number): Range => {
  const [from, until] = [given.get('from'), given.get('until')];
  const hourEndMs = (Math.floor(nowMs / hourMs) + 1) * hourMs;
  const untilMs = until === undefined ? (place?.rangeUntilMs ?? hourEndMs) : instantOf('until', until);
  const fromMs =
    from === undefined ? (place?.rangeFromMs ?? Math.max(0, untilMs - rangeDefaultMs)) : instantOf('from', from);
  if (fromMs >= untilMs) throw invalidParameter('from', 'a time before until');
  if (untilMs - fromMs > rangeDaysMax * 24 * hourMs)
    throw invalidParameter('from', `at most ${rangeDaysMax} days before until`);
  if (place !== null && (place.rangeFromMs !== fromMs || place.rangeUntilMs !== untilMs))
    throw invalidParameter('after', 'the next of a page of the same query');
  return { fromMs, untilMs };
};

/** The usage that a request asks for; whose it is, is the caller's to add. */
export const parseUsageQuery = (request: GatewayRequest, nowMs: number): UsageQuery => {
  const given = knownParameters(request, parameters);
  const groups = groupsOf(given.get('group_by'));
  const groupBy = groups.flatMap((group) => (group === 'day' ? [] : [dimensions[group]]));
  const after = given.get('after');
  const place = after === undefined ? null : placeOf(after, groupBy.length);
  return {
    ...rangeOf(given, place, nowMs),
    bucket: groups.includes('day') ? 'day' : 'total',
    groupBy,
    limit: limitOf(given.get('limit')),
    after: place === null ? undefined : { fromMs: place.fromMs, values: place.values },
  };
};
