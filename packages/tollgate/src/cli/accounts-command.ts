import type { ClosedAccount } from '@tollgate/engine';
import type { AccountRecord } from '@tollgate/storage';
import { accountOf } from './account-option.ts';
import { requireOption, textOption, UsageError, type AdminCommand, type CommandInput } from './command.ts';
import { limitsOption, withLimitsLine } from './limits-option.ts';
import { idAfter, listPages, wordOption } from './list-pages.ts';
import { cells, printFound, printRecords, runActions, timeText } from './run-actions.ts';
import { walletLine, withAvailable } from './wallet-line.ts';

const lineOf = ({ id, status, createdAtMs, name }: AccountRecord): string =>
  cells(id, status.padEnd(8), timeText(createdAtMs), name);

const shown = (account: AccountRecord): string => withLimitsLine(lineOf(account), account.limits);

const missing = (id: string): string => `there is no account ${id}`;

const list: AdminCommand = async (admin, input) => {
  const search = textOption(input, 'search');
  return printRecords(input, await listPages(input, (page) => admin.findAccounts({ ...page, search })), lineOf);
};

const create: AdminCommand = async (admin, input) => {
  const [name, id] = [requireOption(input, 'name'), textOption(input, 'id')];
  return printFound(input, await admin.createAccount({ name, id, limits: limitsOption(input) }), {
    lineOf: shown,
    missing: '',
  });
};

/** What is changed; nothing would be a slip. */
const changeOf = (input: CommandInput) => {
  const name = textOption(input, 'name');
  const status = wordOption(input, 'status', ['active', 'inactive', 'blocked']);
  const limits = limitsOption(input);
  if (name === undefined && status === undefined && limits === undefined)
    throw new UsageError('--name, --status or limits are needed');
  return { name, status, limits };
};

const change: AdminCommand = async (admin, input) => {
  const id = idAfter(input, 'accounts', 'account');
  return printFound(input, await admin.changeAccount(id, changeOf(input)), {
    lineOf: shown,
    missing: missing(id),
  });
};

const closedLine = ({ account, wallet }: ClosedAccount): string => `${lineOf(account)}\n${walletLine(wallet)}`;

const close: AdminCommand = async (admin, input) => {
  const id = idAfter(input, 'accounts', 'account');
  return printFound(input, await admin.closeAccount(id), { lineOf: closedLine, missing: missing(id) });
};

export const accountsCommand: AdminCommand = runActions({ list, create, change, close });

export const balanceCommand: AdminCommand = async (admin, input) => {
  const id = accountOf(input);
  const wallet = await admin.readWallet(id);
  return printFound(input, wallet && withAvailable(wallet), { lineOf: walletLine, missing: missing(id) });
};
