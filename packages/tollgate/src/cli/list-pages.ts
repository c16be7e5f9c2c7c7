import { acceptedWords } from '@tollgate/contract/configuration';
import type { Page, PageQuery } from '@tollgate/engine';
import { textOption, UsageError, type CommandInput } from './command.ts';

const itemsDefault = 100;
const itemsMax = 100_000;
const pageItemsMax = 100;

/** `--limit`: how many items a list prints at the most. */
const limitOf = (input: CommandInput): number => {
  const text = textOption(input, 'limit');
  if (text === undefined) return itemsDefault;
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > itemsMax) throw new UsageError(`--limit takes a whole number from 1 to ${itemsMax}`);
  return limit;
};

/** The newest items of a list, page by page, up to `--limit`. */
export const listPages = async <T>(
  input: CommandInput,
  find: (page: PageQuery) => Promise<Page<T>>,
): Promise<readonly T[]> => {
  const limit = limitOf(input);
  const items: T[] = [];
  for (let after: PageQuery['after']; ;) {
    const page = await find({ after, limit: Math.min(pageItemsMax, limit - items.length) });
    items.push(...page.items);
    if (page.next === null || items.length >= limit) return items;
    after = page.next;
  }
};

/** An option that takes one of several words; undefined where it is not given. */
export const wordOption = <T extends string>(
  input: CommandInput,
  name: string,
  accepted: readonly T[],
): T | undefined => {
  const text = textOption(input, name);
  if (text === undefined) return undefined;
  const word = accepted.find((known) => known === text);
  if (word === undefined) throw new UsageError(`--${name} has ${text}; accepted ${acceptedWords(text, accepted)}`);
  return word;
};

/** An instant on the command line, in milliseconds; undefined where it is not given. */
export const timeOption = (input: CommandInput, name: string): number | undefined => {
  const text = textOption(input, name);
  if (text === undefined) return undefined;
  const atMs = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(atMs))
    throw new UsageError(`--${name} has ${text}, and takes a time such as 2026-11-25 or 2026-11-25T08:00:00Z`);
  return atMs;
};

/** `--from` and `--until`. */
export const rangeOption = (
  input: CommandInput,
): { readonly fromMs?: number | undefined; readonly untilMs?: number | undefined } => ({
  fromMs: timeOption(input, 'from'),
  untilMs: timeOption(input, 'until'),
});

/** The id that stands behind an action. */
export const idAfter = (input: CommandInput, command: string, what: string): string => {
  const [action = '', id] = input.words;
  if (id === undefined) throw new UsageError(`which ${what}? tollgate ${command} ${action} ID`);
  return id;
};
