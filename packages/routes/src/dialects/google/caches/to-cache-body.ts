import {
  GatewayError,
  limits,
  parseCacheRequest,
  parseInstruction,
  refusedValue,
  type GeneratePolicy,
} from '@tollgate/contract';
import type { AskedCache } from '../../../caches/plan-cache.ts';
import { present } from '../../../present.ts';
import { displayNameAt, fieldsAt, modelAt, type Fields } from '../google-fields.ts';

const { ttlSecondsMin, ttlSecondsMax } = limits.cache;
/** What a cache lives for these clients where they do not say. */
const ttlSecondsDefault = 3_600;

const refused = (field: string, value: unknown, accepted: string): GatewayError =>
  refusedValue('invalid_request', { path: [field], value, accepted });

const within = (field: string, value: unknown, seconds: number): number => {
  if (seconds < ttlSecondsMin || seconds > ttlSecondsMax)
    throw refused(field, value, `is a time of ${ttlSecondsMin} to ${ttlSecondsMax} seconds from now`);
  return seconds;
};

const duration = /^\d{1,9}(?:\.\d{1,9})?s$/;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** Whole seconds, begun ones too: a cache is not over before its client expects it. */
const ttlOf = ({ ttl, expireTime }: Fields, nowMs: number): number | null => {
  if (ttl !== undefined && expireTime !== undefined)
    throw new GatewayError('invalid_request', {
      detail: 'The fields ttl and expireTime cannot be sent together; accepted is one of the two.',
    });
  if (ttl !== undefined) {
    if (typeof ttl !== 'string' || !duration.test(ttl)) throw refused('ttl', ttl, 'is text such as "3600s"');
    return within('ttl', ttl, Math.ceil(Number(ttl.slice(0, -1))));
  }
  if (expireTime === undefined) return null;
  const untilMs = typeof expireTime === 'string' && timestamp.test(expireTime) ? Date.parse(expireTime) : Number.NaN;
  if (Number.isNaN(untilMs)) throw refused('expireTime', expireTime, 'is a time such as "2026-11-20T12:00:00Z"');
  return within('expireTime', expireTime, Math.ceil((untilMs - nowMs) / 1_000));
};

/** What a cache of the gateway does not hold. */
const notHeld = ['tools', 'toolConfig'] as const;

const checkHeld = (fields: Fields): void => {
  const field = notHeld.find((name) => fields[name] !== undefined);
  if (field !== undefined)
    throw new GatewayError('unsupported_parameter', {
      detail: `The field ${field} is not supported: a cache holds contents and a systemInstruction; accepted is a cache without it.`,
    });
};

const names = ['model', 'ttl', 'expireTime', 'displayName', 'systemInstruction', 'contents'];

/** The body of POST /cachedContents as a cache of the contract. */
export const fromCachedContent = (value: unknown, nowMs: number, policy: GeneratePolicy): AskedCache => {
  const fields = fieldsAt(value, [], [...names, ...notHeld]);
  checkHeld(fields);
  const displayName = displayNameAt(fields['displayName'], ['displayName']);
  const body = {
    ...present('display_name', displayName),
    ttl_seconds: ttlOf(fields, nowMs) ?? ttlSecondsDefault,
    contents: fields['contents'],
  };
  return {
    cache: parseCacheRequest(body, policy),
    model: modelAt(fields['model'], ['model']),
    systemInstruction: parseInstruction(fields['systemInstruction'], policy.googleCompat),
  };
};

/** The body of PATCH /cachedContents/{id} as the new time to live. */
export const fromCachePatch = (value: unknown, nowMs: number): number => {
  const ttlSeconds = ttlOf(fieldsAt(value, [], ['ttl', 'expireTime']), nowMs);
  if (ttlSeconds === null)
    throw new GatewayError('invalid_request', {
      detail: 'The fields ttl and expireTime are missing; accepted is one of the two.',
    });
  return ttlSeconds;
};
