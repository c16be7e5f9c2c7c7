import type { Logger } from '../ports/logger.ts';
import type { PriceLists } from './price-lists.ts';
import type { Tariff } from './tariff.ts';

/** Plans without prices that one list notes at the most, so that each is logged once. */
const notedPlansMax = 1_000;

/** Lists that one log line names. */
const listsNamedMax = 20;

/** Whether a list has prices of a plan. Without them, accounts with the plan pay the prices of the list. */
const hasPlan = ({ input: { plans = {} } }: Tariff, plan: string): boolean => Object.hasOwn(plans, plan);

interface Noting {
  readonly policy: { readonly priceLists: PriceLists };
  readonly logger: Logger;
}

/** Logs once for each list and plan that an operation is opened under a list that does not have the plan of its account. */
export const notePlanOfOpening = (
  { policy, logger }: Noting,
  {
    plan,
    accountId,
    tariffVersion,
  }: Readonly<Record<'accountId' | 'tariffVersion', string>> & { readonly plan: string },
): void => {
  const list = policy.priceLists.of(tariffVersion);
  if (hasPlan(list, plan) || list.notedPlans.has(plan) || list.notedPlans.size >= notedPlansMax) return;
  list.notedPlans.add(plan);
  logger.warn('an account has a plan that the price list does not have: it pays the prices of the list', {
    code: 'unknown_plan',
    plan,
    list: list.version,
    accountId,
  });
};

/** Logs that an account is given a plan that no list of the gateway has, also none of those that hold later. */
export const notePlanOfAccount = (
  { policy, logger }: Noting,
  accountId: string,
  plan: string | null | undefined,
): void => {
  const { all } = policy.priceLists;
  if (plan === null || plan === undefined || all.some((list) => hasPlan(list, plan))) return;
  logger.warn('an account is given a plan that no price list of the gateway has: it pays the prices of the list', {
    code: 'unknown_plan',
    plan,
    lists: all.slice(0, listsNamedMax).map(({ version }) => version),
    accountId,
  });
};
