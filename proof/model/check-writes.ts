import type { EntryRecord, OperationRecord, WalletRecord, Write } from '@tollgate/storage';
import { isRefusal, outcomeOf, slotsOf, walletIdOf, type ObservedStep } from './observed-step.ts';
import type { Slot } from './slot.ts';
import { found, type Found } from './violation.ts';

/** The moves of design, as one step can make them. */
const legalSteps: Readonly<Record<string, readonly string[]>> = {
  reserved: ['reserved', 'processing', 'cancelling', 'failed'],
  processing: ['processing', 'cancelling', 'uncertain', 'completed', 'failed'],
  cancelling: ['cancelling', 'uncertain', 'completed', 'failed'],
  uncertain: ['uncertain', 'completed', 'failed'],
  completed: ['completed'],
  failed: ['failed'],
};

/** Resource types that no worker works on. */
const withoutWork: ReadonlySet<Slot['kind']> = new Set(['store', 'environment']);

/** How an operation is registered: at once in work, left for a worker or a socket, or over as it begins. */
const firstStates = ({ kind }: Slot): readonly string[] => {
  if (kind === undefined) return ['processing'];
  return withoutWork.has(kind) ? ['completed'] : ['reserved'];
};

const isAmount = (value: unknown): boolean =>
  typeof value === 'bigint' && value <= 10n ** 15n && value >= -(10n ** 15n);

const wholeOperation = (record: OperationRecord): boolean =>
  isAmount(record.holdMicros) &&
  isAmount(record.chargedMicros) &&
  isAmount(record.absorbedMicros) &&
  (record.pendingMicros === null || isAmount(record.pendingMicros));

const checkOperation = (step: ObservedStep, record: OperationRecord): Found => {
  const slot = slotsOf(step.command.body).find(({ operationId }) => operationId === record.id);
  if (slot === undefined) return found('touches_only_its_own', `writes operation ${record.id}`);
  if (!wholeOperation(record)) return found('amounts_are_whole_numbers', `operation ${record.id}`);
  const before = step.map.records.get('operation', record.id);
  const legal = before === undefined ? firstStates(slot) : (legalSteps[before.state] ?? []);
  if (!legal.includes(record.state))
    return found('legal_moves_only', `${record.id} from ${before?.state ?? 'nothing'} to ${record.state}`);
  const open = record.endedAtMs === null;
  const lowers =
    step.command.body.kind !== 'changeTtl' && before !== undefined && record.holdMicros < before.holdMicros;
  if (open && lowers && record.captures === before.captures)
    return found('hold_kept_until_the_end', `${record.id} from ${before.holdMicros} to ${record.holdMicros}`);
  if ((record.state === 'completed' || record.state === 'failed') === open)
    return found('legal_moves_only', `${record.id} is ${record.state}, ended at ${record.endedAtMs}`);
  return null;
};

const checkWallet = (step: ObservedStep, record: WalletRecord): Found => {
  if (walletIdOf(step.command.body) !== record.id) return found('touches_only_its_own', `writes wallet ${record.id}`);
  if (!isAmount(record.balanceMicros) || !isAmount(record.reservedMicros))
    return found('amounts_are_whole_numbers', `wallet ${record.id}`);
  if (record.reservedMicros < 0n || record.reservedMicros > record.balanceMicros)
    return found('reserved_within_balance', `${record.reservedMicros} of ${record.balanceMicros}`);
  const before = step.map.records.get('wallet', record.id);
  // A purge moves what an operation carried, and nothing that is reported.
  const seq = (before?.seq ?? 0) + (step.command.body.kind === 'purge' ? 0 : 1);
  return record.seq === seq ? null : found('every_change_has_its_seq', `${record.seq} instead of ${seq}`);
};

const checkEntry = (step: ObservedStep, record: EntryRecord): Found => {
  const { book, map } = step;
  if (walletIdOf(step.command.body) !== record.accountId)
    return found('touches_only_its_own', `writes an entry of ${record.accountId}`);
  if (!isAmount(record.amountMicros)) return found('amounts_are_whole_numbers', `entry ${record.id}`);
  if (map.records.get('entry', record.id) !== undefined) return found('appended_once', `entry ${record.id}`);
  const count = (book.entryCounts.get(record.accountId) ?? 0) + 1;
  if (record.seq !== count) return found('entries_gap_free', `entry ${record.seq} comes as the ${count}th`);
  book.entryCounts.set(record.accountId, count);
  book.entrySums.set(record.accountId, (book.entrySums.get(record.accountId) ?? 0n) + record.amountMicros);
  if (record.balanceMicros !== book.entrySums.get(record.accountId))
    return found('entries_carry_balance', `entry ${record.seq} has the balance ${record.balanceMicros}`);
  if (record.kind !== 'debit' || record.operationId === null) return null;
  const debits = book.debits.get(record.operationId) ?? { count: 0, sum: 0n };
  book.debits.set(record.operationId, { count: debits.count + 1, sum: debits.sum - record.amountMicros });
  return null;
};

const checkWrite = (step: ObservedStep, write: Write): Found => {
  if (write.kind === 'append' && write.table === 'entry') return checkEntry(step, write.record);
  if (write.kind === 'append')
    return step.map.records.get(write.table, write.record.id) === undefined
      ? null
      : found('appended_once', `${write.table} ${write.record.id}`);
  if (write.kind === 'put' && write.table === 'operation') return checkOperation(step, write.record);
  if (write.kind === 'put' && write.table === 'wallet') return checkWallet(step, write.record);
  if (write.kind === 'delete' && write.table === 'operation') {
    const before = step.map.records.get('operation', write.id);
    if (before !== undefined && before.endedAtMs === null)
      return found('legal_moves_only', `${write.id} removed while ${before.state}`);
  }
  return null;
};

/** Looks at what a step is about to write, before it is applied. */
export const checkWrites = (step: ObservedStep): Found => {
  const outcome = outcomeOf(step.told.text);
  const { writes } = step;
  if (isRefusal(step.command.body, outcome) && writes.some((write) => write.table !== 'anomaly'))
    return found('refused_changes_nothing', `${outcome}, but writes ${writes.map((write) => write.table).join()}`);
  for (const write of writes) {
    const wrong = checkWrite(step, write);
    if (wrong !== null) return wrong;
  }
  return null;
};
