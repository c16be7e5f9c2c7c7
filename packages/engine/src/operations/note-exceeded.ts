import { isUsageUnit } from '@tollgate/provider';
import { storageOf, type UsageRecord } from '@tollgate/storage';
import { hostEventKeys } from '../decisions/host-event.ts';
import { anomalyKey, anomalyWrites } from '../decisions/anomaly.ts';
import type { BeyondHold, SettleAnswer, SettleCommand } from '../decisions/settle.ts';
import type { Engine } from '../engine.ts';
import type { OperationLedger } from '../ledger/operation-ledger.ts';
import type { ModelTariff } from '../ledger/model-prices.ts';
import { pricesOf } from '../ledger/operation-prices.ts';
import { microsUp, picosOfUsage } from '../ledger/price-usage.ts';
import { commitOnce } from './persist.ts';

type Noting = Pick<Engine, 'storage' | 'logger' | 'newId' | 'policy'>;
type Paid = Extract<SettleAnswer, { readonly kind: 'settled' | 'pending' }>;

/** What each unit of a measure costs, the most expensive first. */
const unitsOf = (prices: ModelTariff, usage: readonly UsageRecord[]) =>
  usage
    .flatMap(({ unit, quantity }) => {
      const picos = isUsageUnit(unit) ? picosOfUsage(prices, [{ unit, quantity }]) : null;
      return picos === null || picos === 0n ? [] : [{ unit, quantity, picos }];
    })
    .toSorted((one, other) => (one.picos < other.picos ? 1 : -1))
    .map(({ unit, quantity, picos }) => ({ unit, quantity, micros: String(microsUp(picos) ?? picos) }));

/** A measure above its hold means that a unit without a bound was used: logged and kept as an anomaly to count. */
const note = async (
  engine: Noting,
  command: SettleCommand,
  { operation }: Paid,
  beyondHold: NonNullable<BeyondHold['beyondHold']>,
): Promise<void> => {
  const prices = pricesOf(engine, operation);
  const detail = {
    model: operation.model,
    holdMicros: String(beyondHold.holdMicros),
    measuredMicros: String(command.measuredMicros),
    units: prices === null ? [] : unitsOf(prices, command.evidence?.usage ?? []),
  };
  engine.logger.warn('more was measured than was reserved', {
    code: 'hold_exceeded',
    operationId: operation.id,
    unit: detail.units[0]?.unit ?? null,
    ...detail,
  });
  const id = engine.newId();
  const hostEvents = engine.policy.hostEvents === null ? undefined : { ...engine.policy.hostEvents, eventId: id };
  const storage = storageOf(engine.storage, operation.accountId);
  await commitOnce(
    { storage },
    {
      keys: [anomalyKey(id), ...hostEventKeys(hostEvents, ['anomaly'])],
      decide: (records, nowMs) => {
        const anomaly = { id, code: 'hold_exceeded', detail, nowMs, hostEvents };
        return { writes: anomalyWrites(records, operation, anomaly), answer: undefined };
      },
    },
  );
};

/** The money of an engine, which notes every measure that exceeds its hold. */
export const notingExceeded = (engine: Noting, operationLedger: OperationLedger): OperationLedger => ({
  ...operationLedger,
  settle: (command) =>
    operationLedger.settle(command).then((answer) => {
      if ((answer.kind !== 'settled' && answer.kind !== 'pending') || answer.beyondHold === undefined) return answer;
      // The settlement stands, whether or not the note of it could be kept.
      return note(engine, command, answer, answer.beyondHold)
        .catch((cause: unknown) =>
          engine.logger.error('an anomaly could not be kept', { operationId: command.operationId, cause }),
        )
        .then(() => answer);
    }),
});
