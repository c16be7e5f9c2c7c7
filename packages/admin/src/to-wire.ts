import { decimalFromMicros } from '@tollgate/engine';

/** Micro-credits as credits in decimal digits, exact, without zeros at the end. */
export const creditText = (micros: bigint): string => decimalFromMicros(micros).replace(/\.?0+$/, '');

/** Members whose own names are the host's, or are names of units and quotas: they stay as they are. */
const opaque: ReadonlySet<string> = new Set(['metadata', 'tags', 'detail', 'quotas', 'used', 'units']);

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Names of instants; other names in milliseconds are lengths of time. */
const isTime = (name: string): boolean => /(?:^at|At|^from|^until|Until|For)Ms$/.test(name);

const amount = (value: unknown): unknown =>
  typeof value === 'bigint' || (typeof value === 'string' && /^-?\d+$/.test(value)) ? creditText(BigInt(value)) : value;

const time = (value: unknown): unknown => (typeof value === 'number' ? new Date(value).toISOString() : value);

const member = (name: string, value: unknown): readonly [string, unknown] => {
  if (name.endsWith('Micros')) return [`${snake(name.slice(0, -'Micros'.length))}_credits`, amount(value)];
  if (isTime(name)) return [snake(name.slice(0, -'Ms'.length)), time(value)];
  return [snake(name), opaque.has(name) ? value : toWire(value)];
};

/**
 * A record as it is sent: names in snake case, amounts as credits in decimal digits (`balanceMicros` becomes `balance_credits`), times
 * as ISO 8601 (`createdAtMs` becomes `created_at`).
 */
export const toWire = (value: unknown): unknown => {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map(toWire);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, of]) => member(name, of)));
};
