import type { HistoryViolation, RecordedCall, WalletSums } from './ledger-history.ts';
import { createWalletReplay, type WalletReplay, type Wrong } from './wallet-replay.ts';

export interface HistoryReport {
  readonly calls: number;
  /** Changes of wallets that were replayed. */
  readonly changes: number;
  readonly violations: readonly HistoryViolation[];
}

type Report = (wrong: Wrong) => void;

const groupBy = <K>(
  calls: readonly RecordedCall[],
  keyOf: (call: RecordedCall) => K,
): ReadonlyMap<K, RecordedCall[]> => {
  const groups = new Map<K, RecordedCall[]>();
  for (const call of calls) {
    const group = groups.get(keyOf(call));
    if (group === undefined) groups.set(keyOf(call), [call]);
    else group.push(call);
  }
  return groups;
};

/** Responses that show no place in the wallet's order are grouped under this. */
const unplaced = -1;

const seqOf = ({ reply }: RecordedCall): number => ('walletSeq' in reply ? reply.walletSeq : unplaced);

const describe = ({ call, reply }: RecordedCall): string =>
  `${call.kind} of ${'operationId' in call ? call.operationId : call.reference} told ${reply.kind}`;

/** The one call of a `seq` that made its change: one that cannot but change something before one that may. */
const callerOf = (replay: WalletReplay, calls: readonly RecordedCall[], report: Report): RecordedCall | null => {
  const callers = calls.filter((recorded) => replay.changes(recorded));
  const sure = callers.filter(({ reply }) => reply.kind !== 'extended' && reply.kind !== 'captured');
  if (sure.length > 1) report({ rule: 'change_made_twice', detail: sure.map(describe).join(' and ') });
  return sure[0] ?? callers[0] ?? null;
};

/** Replays one `seq`: its change, then every answer that shows the wallet as it was then. Returns who made the change. */
const replaySeq = (
  replay: WalletReplay,
  calls: readonly RecordedCall[],
  seq: number,
  report: Report,
): RecordedCall | null => {
  const maker = seq === 0 ? null : callerOf(replay, calls, report);
  if (maker === null && seq > 0) report({ rule: 'change_unexplained', detail: `seq ${seq}` });
  const told = (recorded: RecordedCall, wrong: Wrong | null): void => {
    if (wrong !== null) report({ ...wrong, detail: `seq ${seq}: ${describe(recorded)}, but ${wrong.detail}` });
  };
  if (maker !== null) told(maker, replay.apply(maker));
  for (const recorded of calls) told(recorded, replay.observe(recorded));
  return maker;
};

/** Tells of calls that were over before something that comes earlier in the wallet's order was even sent. */
const createOrderCheck = (report: Report) => {
  let latest: RecordedCall | null = null;
  const follow = (recorded: RecordedCall): void => {
    if (latest !== null && recorded.endedAt < latest.startedAt)
      report({
        rule: 'order_against_time',
        detail: `${describe(recorded)} was over before ${describe(latest)} was sent`,
      });
  };
  const precede = (recorded: RecordedCall): void => {
    if (latest === null || recorded.startedAt > latest.startedAt) latest = recorded;
  };
  return (maker: RecordedCall | null, calls: readonly RecordedCall[]): void => {
    if (maker !== null) {
      follow(maker);
      precede(maker);
    }
    // What only shows this `seq` has no order among itself, but all of it comes after the change.
    for (const recorded of calls) follow(recorded);
    for (const recorded of calls) precede(recorded);
  };
};

/** Why an identity could not be answered with that operation, or null. */
const refuteKnown = (replay: WalletReplay, { call, reply, endedAt }: RecordedCall): string | null => {
  if (call.kind !== 'open' || (reply.kind !== 'known' && reply.kind !== 'conflict')) return null;
  const operation = replay.operation(reply.operationId);
  if (operation === undefined || operation.startedAt > endedAt) return `${reply.operationId} was not started`;
  const claim = call.identity === null ? reply.operationId : replay.claim(call.identity);
  if (claim !== reply.operationId) return `${call.identity} stands for ${claim ?? 'nothing'}`;
  return (operation.fingerprint === call.fingerprint) === (reply.kind === 'known') ? null : 'the body says otherwise';
};

/** Why an operation could not be answered as ended, or null. One that is left pending may be returned as such to an extension. */
const refuteEnded = (replay: WalletReplay, { call, reply, endedAt }: RecordedCall): string | null => {
  if (reply.kind !== 'ended' || !('operationId' in call)) return null;
  const operation = replay.operation(call.operationId);
  if (operation === undefined || call.kind === 'extend' || call.kind === 'capture') return null;
  return operation.state === 'ended' && operation.changedAt <= endedAt ? null : `${call.operationId} had not ended`;
};

/** Why an operation could not be answered as missing, or null. */
const refuteMissing = (replay: WalletReplay, { call, reply, startedAt }: RecordedCall): string | null => {
  if (reply.kind !== 'missing' || !('operationId' in call)) return null;
  const operation = replay.operation(call.operationId);
  return operation !== undefined && operation.registeredAt < startedAt ? `${call.operationId} was registered` : null;
};

const checkSums = (replay: WalletReplay, lastSeq: number, last: WalletSums, report: Report): void => {
  const { balanceMicros, reservedMicros } = replay.sums();
  if (balanceMicros === last.balanceMicros && reservedMicros === last.reservedMicros && lastSeq === last.seq) return;
  const detail = `${balanceMicros}, ${reservedMicros} at ${lastSeq}; on record ${last.balanceMicros}, ${last.reservedMicros} at ${last.seq}`;
  report({ rule: 'sums_differ', detail });
};

const checkWallet = (calls: readonly RecordedCall[], last: WalletSums | undefined, report: Report): number => {
  const bySeq = groupBy(calls, seqOf);
  let lastSeq = last?.seq ?? 0;
  for (const seq of bySeq.keys()) lastSeq = Math.max(lastSeq, seq);
  const replay = createWalletReplay();
  const checkOrder = createOrderCheck(report);
  for (let seq = 0; seq <= lastSeq; seq += 1) {
    const own = bySeq.get(seq) ?? [];
    checkOrder(replaySeq(replay, own, seq, report), own);
  }
  for (const recorded of bySeq.get(unplaced) ?? []) {
    const wrong = refuteKnown(replay, recorded) ?? refuteEnded(replay, recorded) ?? refuteMissing(replay, recorded);
    if (wrong !== null) report({ rule: 'answer_not_justified', detail: `${describe(recorded)}, but ${wrong}` });
  }
  if (last !== undefined) checkSums(replay, lastSeq, last, report);
  return lastSeq;
};

/**
 * Tells whether concurrent calls were answered as if they had come one by one: every wallet's `seq` says in which order, so the
 * history is replayed in that order, once, and every answer compared with the wallet as it was then; calls that did not overlap
 * must come in the order of time. Every call that changed something since the wallet was empty must be recorded with its
 * answer. `last` are the wallets as they are in the end, by account.
 */
export const checkHistory = (
  calls: readonly RecordedCall[],
  last: ReadonlyMap<string, WalletSums> = new Map(),
): HistoryReport => {
  const violations: HistoryViolation[] = [];
  let changes = 0;
  for (const [accountId, own] of groupBy(calls, (recorded) => recorded.accountId))
    changes += checkWallet(own, last.get(accountId), (wrong) => void violations.push({ ...wrong, accountId }));
  return { calls: calls.length, changes, violations };
};
