import { isKeptText, isRecord, isUuid, type JsonRecord } from '@tollgate/contract';
import { keyBounds } from '@tollgate/engine';
import { unknownMember } from '../hooks/unknown-member.ts';
import type { KnownCaller } from './authenticate-caller.ts';

/** What the host is taken to have said. */
export type CallerVerdict =
  | { readonly kind: 'known'; readonly caller: KnownCaller }
  | { readonly kind: 'unknown' }
  /** It said what names no caller; `fault` names the member. */
  | { readonly kind: 'nonsense'; readonly fault: string };

const members = ['projectId', 'accountId', 'keyId', 'reference', 'models', 'limits'] as const;
const rates = ['requestsPerMinute', 'tokensPerMinute', 'concurrentRequests'] as const;
const { referenceCharsMax, modelsMax, rateMax } = keyBounds;

/** As much of an unknown id as the log shows. */
const idCharsShown = 100;

const isNothing = (value: unknown): value is null | undefined => value === undefined || value === null;

const idFault = (record: JsonRecord, name: 'projectId' | 'accountId' | 'keyId'): string | null => {
  const value = record[name];
  if (value === undefined && name !== 'projectId') return null;
  return typeof value === 'string' && isUuid(value) ? null : `${name} is not a uuid`;
};

const referenceFault = ({ reference, keyId }: JsonRecord): string | null => {
  if (reference === undefined) return null;
  if (keyId !== undefined) return 'reference stands beside keyId';
  const isSized = typeof reference === 'string' && reference !== '' && reference.length <= referenceCharsMax;
  if (!isSized) return `reference is not a text of 1 to ${referenceCharsMax} characters`;
  // Halves of surrogate pairs would become one and the same text: two users would count as one.
  return isKeptText(reference) ? null : 'reference is not well-formed Unicode without NUL';
};

const modelsFault = ({ models }: JsonRecord, catalog: readonly string[] | null): string | null => {
  if (isNothing(models)) return null;
  if (!Array.isArray(models) || models.length === 0 || models.length > modelsMax)
    return `models is not a list of 1 to ${modelsMax} ids`;
  // Of a list with holes, `every` would skip them.
  const ids: readonly unknown[] = Array.from(models);
  if (!ids.every((id) => typeof id === 'string')) return 'models has an entry that is not a text';
  const unknown = catalog === null ? undefined : ids.find((id) => !catalog.includes(id));
  return unknown === undefined
    ? null
    : `models names '${unknown.slice(0, idCharsShown)}', which is no model of the catalog`;
};

const isRate = (value: unknown): boolean =>
  value === undefined || (Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= rateMax);

const limitsFault = ({ limits }: JsonRecord): string | null => {
  if (isNothing(limits)) return null;
  if (!isRecord(limits)) return 'limits is not an object';
  const unknown = unknownMember(limits, rates);
  if (unknown !== undefined) return `limits has the unknown member ${unknown}`;
  const wrong = rates.find((name) => !isRate(limits[name]));
  return wrong === undefined ? null : `limits.${wrong} is not a whole number from 1 to ${rateMax}`;
};

const faultOf = (answer: JsonRecord, catalog: readonly string[] | null): string | null => {
  const unknown = unknownMember(answer, members);
  if (unknown !== undefined) return `the caller has the unknown member ${unknown}`;
  return (
    idFault(answer, 'projectId') ??
    idFault(answer, 'accountId') ??
    idFault(answer, 'keyId') ??
    referenceFault(answer) ??
    modelsFault(answer, catalog) ??
    limitsFault(answer)
  );
};

/** Whether an answer of the host names a caller: each member was checked for a fault. */
const isKnownCaller = (answer: JsonRecord, fault: string | null): answer is JsonRecord & KnownCaller => fault === null;

/**
 * Reads the answer of the host's function; `catalog` has the ids of all models, null for any. What is no caller counts as a failure
 * of the function, never as one.
 */
export const toKnownCaller = (answer: unknown, catalog: readonly string[] | null): CallerVerdict => {
  if (isNothing(answer)) return { kind: 'unknown' };
  if (!isRecord(answer)) return { kind: 'nonsense', fault: 'the caller is not an object' };
  const fault = faultOf(answer, catalog);
  return isKnownCaller(answer, fault)
    ? { kind: 'known', caller: answer }
    : { kind: 'nonsense', fault: fault ?? 'the caller is none' };
};
