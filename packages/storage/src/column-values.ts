import { amountMicrosMax } from './table-columns.ts';

/** Half a surrogate pair would come back as another character, for what is stored is UTF-8. */
export const isStoredText = (value: unknown): value is string => typeof value === 'string' && value.isWellFormed();

export const isStoredInteger = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && !Object.is(value, -0);

export const isStoredAmount = (value: unknown): value is bigint =>
  typeof value === 'bigint' && value >= -amountMicrosMax && value <= amountMicrosMax;
