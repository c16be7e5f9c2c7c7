import type { Administration, PageQuery, TariffInput } from '@tollgate/engine';

const pageItems = 100;

/** A plan of accounts that a list does not have. */
export interface UnknownPlan {
  readonly plan: string;
  readonly accounts: number;
}

/** The plans that accounts have and a list does not, by name. A closed account is charged for nothing new. */
export const findUnknownPlans = async (
  admin: Pick<Administration, 'findAccounts'>,
  { plans = {} }: Pick<TariffInput, 'plans'>,
): Promise<readonly UnknownPlan[]> => {
  const counts = new Map<string, number>();
  let after: PageQuery['after'];
  do {
    const { items, next } = await admin.findAccounts({ after, limit: pageItems });
    for (const { plan, status } of items)
      if (plan !== null && status !== 'closed' && !Object.hasOwn(plans, plan))
        counts.set(plan, (counts.get(plan) ?? 0) + 1);
    after = next ?? undefined;
  } while (after !== undefined);
  return Array.from(counts, ([plan, accounts]) => ({ plan, accounts })).toSorted((one, other) =>
    one.plan < other.plan ? -1 : 1,
  );
};
