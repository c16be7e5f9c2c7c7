import { usageUnits } from '@tollgate/provider';
import type { UsageRecord } from '@tollgate/storage';
import type { Verdict, VerdictNote, VerdictPart } from '../decisions/verdict.ts';
import { microsMax } from '../ledger/micros.ts';

const byCharsMax = 200;
const reasonCharsMax = 1_000;
const referenceCharsMax = 200;

const units: ReadonlySet<string> = new Set(usageUnits);

const checkAmount = (field: string, micros: unknown): void => {
  if (typeof micros !== 'bigint')
    throw new RangeError(`${field} is ${typeof micros}: an amount is a bigint of micro-credits`);
  if (micros < 0n || micros > microsMax)
    throw new RangeError(`${field} is ${micros}: an amount is not negative, and at most ${microsMax} micro-credits`);
};

/** Throws a RangeError for usage that a verdict or a row of a bill must not have: the field, what came and what is accepted. */
export const checkUsage = (field: string, usage: readonly UsageRecord[]): void => {
  if (typeof usage === 'string' || usage.length === 0)
    throw new RangeError(`${field} is empty: it takes at least one unit and its quantity`);
  for (const { unit, quantity } of usage) {
    if (!units.has(unit))
      throw new RangeError(`${field} has the unit ${unit}, which is none of ${usageUnits.join(', ')}`);
    if (!Number.isSafeInteger(quantity) || quantity < 0)
      throw new RangeError(`${field} has ${String(quantity)} ${unit}: a quantity is a whole number from 0`);
  }
};

/** What a verdict or a part of it may say beside `executed`. */
const sayings = ['amountMicros', 'usage', 'parts'] as const;

/** The one thing that is said beside `executed`; null where it says nothing. */
const sayingOf = (field: string, said: object): (typeof sayings)[number] | null => {
  const executed: unknown = 'executed' in said ? said.executed : undefined;
  if (typeof executed !== 'boolean')
    throw new RangeError(`${field}executed is ${typeof executed}: it is true or false`);
  const given = sayings.filter((name) => Object.hasOwn(said, name) && Reflect.get(said, name) !== undefined);
  if (given.length > 1 || (!executed && given.length > 0))
    throw new RangeError(
      `${field}${given.join(` and ${field}`)} exclude each other, and a verdict that it did not run`,
    );
  return given[0] ?? null;
};

const checkPart = (part: VerdictPart, place: number): void => {
  const field = `parts[${place}].`;
  const saying = sayingOf(field, part);
  if (part.executed && saying !== 'usage' && saying !== 'amountMicros')
    throw new RangeError(`${field}usage is missing: a part that ran takes usage or amountMicros`);
  if ('usage' in part) checkUsage(`${field}usage`, part.usage);
  if ('amountMicros' in part) checkAmount(`${field}amountMicros`, part.amountMicros);
};

/** Throws a RangeError that names the field, what came and what is accepted. */
export const checkVerdict = (verdict: Verdict): void => {
  if (typeof verdict !== 'object' || verdict === null) throw new RangeError('a verdict is an object with executed');
  const saying = sayingOf('', verdict);
  if (saying === 'parts' && 'parts' in verdict) verdict.parts.forEach(checkPart);
  else if (saying === 'usage' && 'usage' in verdict) {
    if (verdict.usage !== 'at_least') checkUsage('usage', verdict.usage);
  } else if (saying === 'amountMicros' && 'amountMicros' in verdict) checkAmount('amountMicros', verdict.amountMicros);
};

const checkText = (field: string, text: string | undefined, charsMax: number): void => {
  if (text !== undefined && (text === '' || text.length > charsMax || !text.isWellFormed()))
    throw new RangeError(`${field} has ${text.length} characters: it takes 1 to ${charsMax}, of well-formed Unicode`);
};

export const checkVerdictNote = ({ by, reason, reference }: VerdictNote): void => {
  checkText('by', by, byCharsMax);
  checkText('reason', reason, reasonCharsMax);
  checkText('reference', reference, referenceCharsMax);
};
