import type { AccountRecord, LimitsRecord, Metadata } from '@tollgate/storage';
import type { Step } from './step.ts';

export interface ChangeAccountCommand {
  readonly accountId: string;
  readonly name?: string | undefined;
  /** In place of all that was kept; null for none. */
  readonly metadata?: Metadata | null | undefined;
  /** For a limiter, in place of all that there were; null for none. */
  readonly limits?: LimitsRecord | null | undefined;
  readonly status?: AccountRecord['status'] | undefined;
  /** By which it is charged from its next operation on; null for none. Operations under way keep the plan that they began with. */
  readonly plan?: string | null | undefined;
}

/** The status that an account takes: closing is final, as a customer who left is not let in again by a slip. */
const nextStatus = (account: AccountRecord, asked: AccountRecord['status'] | undefined): AccountRecord['status'] =>
  account.status === 'closed' ? 'closed' : (asked ?? account.status);

/**
 * Renames an account, keeps texts with it, lets it in, keeps it out or closes it. A closed account opens no operation and no
 * project; what it holds settles, its wallet and its entries stay, and amounts still come in and go out. Null where there is none.
 */
export const changeAccountStep = (command: ChangeAccountCommand): Step<AccountRecord | null> => ({
  keys: [{ table: 'account', id: command.accountId }],
  decide: (records, nowMs) => {
    const account = records.get('account', command.accountId);
    if (account === undefined) return { writes: [], answer: null };
    const status = nextStatus(account, command.status);
    const record: AccountRecord = {
      ...account,
      name: command.name ?? account.name,
      metadata: command.metadata === undefined ? account.metadata : command.metadata,
      limits: command.limits === undefined ? account.limits : command.limits,
      status,
      plan: command.plan === undefined ? account.plan : command.plan,
      closedAtMs: status === 'closed' ? (account.closedAtMs ?? nowMs) : null,
    };
    return { writes: [{ kind: 'put', table: 'account', record }], answer: record };
  },
});
