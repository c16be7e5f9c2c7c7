import type { Key, OperationRecord, Records, ResourceRecord, Write } from '@tollgate/storage';
import { publicFieldsOf } from './stored-values.ts';
import { coversMore, spendKeys, spendWrites, type CountedSpends } from './spend.ts';
import type { Step } from './step.ts';
import { availableMicros, changeWallet } from './wallet.ts';

export interface ChangeTtlCommand extends CountedSpends {
  readonly operationId: string;
  readonly accountId: string;
  /** Counted from now. */
  readonly ttlMs: number;
  /** What is to be held for so many milliseconds of storage in all. */
  readonly holdFor: (storedMs: number) => bigint;
  /** Blobs that are needed as long as the resource, and how long beyond it. */
  readonly blobKeys: readonly string[];
  readonly marginMs: number;
  /** `reserve` raises the hold alone, before the upstream is asked for the time; `apply` sets hold and time. */
  readonly step: 'reserve' | 'apply';
  /** The wallet is the host's, which holds so much already; null where it is the engine's own. */
  readonly hostHoldMicros: bigint | null;
  /** Members of the public record that change with the time. */
  readonly publicFields: Readonly<Record<string, unknown>>;
}

export type ChangeTtlAnswer =
  | { readonly kind: 'ttl_changed'; readonly operation: OperationRecord; readonly resource: ResourceRecord }
  | { readonly kind: 'insufficient' }
  /** It has expired or is not usable. */
  | { readonly kind: 'missing' };

const guardWrites = (records: Records, command: ChangeTtlCommand, untilMs: number): readonly Write[] =>
  command.blobKeys.flatMap((id) =>
    records.get('pendingBlob', id)?.owner === null
      ? [
          {
            kind: 'put',
            table: 'pendingBlob',
            record: { id, owner: null, dueAtMs: untilMs + command.marginMs },
          } as const,
        ]
      : [],
  );

/** The wallet with the changed hold; null where free balance does not cover it. */
const walletWrites = (records: Records, command: ChangeTtlCommand, moreMicros: bigint): readonly Write[] | null => {
  if (command.hostHoldMicros !== null || moreMicros === 0n) return [];
  const wallet = records.get('wallet', command.accountId);
  if (wallet === undefined || moreMicros > availableMicros(wallet)) return null;
  return [{ kind: 'put', table: 'wallet', record: changeWallet(wallet, { reservedMicros: moreMicros }) }];
};

/** A hold that falls is always within the caps. */
const coversRaise = (records: Records, operation: OperationRecord, moreMicros: bigint): boolean =>
  moreMicros <= 0n || coversMore(records, operation, moreMicros);

const findUsable = (records: Records, { operationId }: ChangeTtlCommand, nowMs: number) => {
  const operation = records.get('operation', operationId);
  const resource = records.get('resource', operationId);
  if (operation?.state !== 'processing' || operation.owner !== null || resource?.availability !== 'active') return null;
  return resource.expiresAtMs === null || resource.expiresAtMs <= nowMs ? null : { operation, resource };
};

const changeTtlKeys = (command: ChangeTtlCommand): readonly Key[] => [
  { table: 'operation', id: command.operationId },
  { table: 'resource', id: command.operationId },
  ...(command.hostHoldMicros === null ? [{ table: 'wallet', id: command.accountId } as const] : []),
  ...command.blobKeys.map((id) => ({ table: 'pendingBlob', id }) as const),
  ...spendKeys(command),
];

// caches:patch:re-reserves, caches:patch:insufficient
/**
 * Changes how long a usable resource is kept, and its hold with it, up or down: both or neither, by the clock of the storage
 */
export const changeTtl = (command: ChangeTtlCommand): Step<ChangeTtlAnswer> => ({
  keys: changeTtlKeys(command),
  decide: (records, nowMs) => {
    const found = findUsable(records, command, nowMs);
    if (found === null) return { writes: [], answer: { kind: 'missing' } };
    const { operation, resource } = found;
    const untilMs = nowMs + command.ttlMs;
    const wanted = command.hostHoldMicros ?? command.holdFor(untilMs - operation.createdAtMs);
    const raises = wanted > operation.holdMicros;
    const holdMicros = command.step === 'apply' || raises ? wanted : operation.holdMicros;
    const moreMicros = holdMicros - operation.holdMicros;
    const wallet = walletWrites(records, command, moreMicros);
    if (wallet === null || !coversRaise(records, operation, moreMicros))
      return { writes: [], answer: { kind: 'insufficient' } };
    const held: OperationRecord = { ...operation, holdMicros, updatedAtMs: nowMs };
    const spend = spendWrites(records, operation, held);
    if (command.step === 'reserve')
      return {
        writes: [...wallet, ...spend, { kind: 'put', table: 'operation', record: held }],
        answer: { kind: 'ttl_changed', operation: held, resource },
      };
    const due = { ...held, dueAtMs: untilMs };
    const changed: ResourceRecord = {
      ...resource,
      publicFields: { ...publicFieldsOf(resource), ...command.publicFields },
      expiresAtMs: untilMs,
      updatedAtMs: nowMs,
    };
    return {
      writes: [
        ...wallet,
        ...spend,
        { kind: 'put', table: 'operation', record: due },
        { kind: 'put', table: 'resource', record: changed },
        ...guardWrites(records, command, untilMs),
      ],
      answer: { kind: 'ttl_changed', operation: due, resource: changed },
    };
  },
});
