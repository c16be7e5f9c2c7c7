import { acceptedWords } from '@tollgate/contract/configuration';
import { usageUnits } from '@tollgate/provider';
import type { UsageRecord } from '@tollgate/storage';
import { UsageError } from './command.ts';

const units: ReadonlySet<string> = new Set(usageUnits);

const readMeter = (option: string, text: string): UsageRecord => {
  const [unit = '', digits = '', ...more] = text.split(':');
  const quantity = /^\d{1,16}$/.test(digits) ? Number(digits) : Number.NaN;
  if (unit !== '' && !units.has(unit))
    throw new UsageError(`--${option} has '${text}': ${unit} is no unit; accepted ${acceptedWords(unit, usageUnits)}`);
  if (!units.has(unit) || !Number.isSafeInteger(quantity) || more.length > 0)
    throw new UsageError(
      `--${option} has '${text}', and takes UNIT:QUANTITY with commas between, such as input_text_tokens:50000`,
    );
  return { unit, quantity };
};

/** Quantities by unit on the command line: `input_text_tokens:50000,output_text_tokens:12`. A unit stands there once. */
export const readUsage = (option: string, text: string): readonly UsageRecord[] => {
  const usage = text.split(',').map((meter) => readMeter(option, meter));
  const twice = usage.find(({ unit }, place) => usage.some((other, at) => at < place && other.unit === unit));
  if (twice !== undefined) throw new UsageError(`--${option} has ${twice.unit} twice`);
  return usage;
};

/** The same as people read it. */
export const usageText = (usage: readonly UsageRecord[]): string =>
  usage.map(({ unit, quantity }) => `${quantity} ${unit}`).join(', ');
