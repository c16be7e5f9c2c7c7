import type { Facts } from './ledger-of-facts.ts';
import type { Operation, Operations } from './read-operations.ts';
import type { Executions } from './reference-upstream.ts';

type Recorded = ReadonlyMap<string, Executions>;

/** A marker is its identity and which of the bodies it is. */
const identityOf = (marker: string): string => marker.replace(/-[ab]$/, '');

/** What ran under an identity, by whichever body was registered. */
export const ranOf = (executions: Recorded, identity: string): Executions | undefined =>
  [executions.get(`${identity}-a`), executions.get(`${identity}-b`)].find((ran) => ran !== undefined && ran.count > 0);

/** At most one execution an identity, whatever its bodies were. */
export const findDoubleExecutions = (executions: Recorded): readonly string[] => {
  const counts = new Map<string, number>();
  for (const [marker, { count }] of executions) {
    const identity = identityOf(marker);
    counts.set(identity, (counts.get(identity) ?? 0) + count);
  }
  return [...counts].flatMap(([identity, count]) => (count > 1 ? [`${identity} was executed ${count} times`] : []));
};

const wrongCharge = (operation: Operation, ran: Executions | undefined): string | null => {
  const { state, chargedMicros, holdMicros } = operation;
  switch (state) {
    case 'completed':
      if (ran === undefined) return 'completed, but it never ran';
      return chargedMicros === ran.costMicros && holdMicros === 0n
        ? null
        : `charged ${chargedMicros}, but it used ${ran.costMicros}`;
    case 'failed':
      return ran === undefined && chargedMicros === 0n && holdMicros === 0n ? null : 'failed, but it ran or took money';
    case 'uncertain':
      return chargedMicros === 0n && holdMicros > 0n ? null : 'uncertain, but its hold was not kept';
    // Found by `findStuck`.
    case 'preparing':
    case 'reserved':
    case 'processing':
    case 'cancelling':
    case 'settling':
      return null;
  }
};

/** Charged is what the reference upstream measured; what is uncertain keeps its hold; nothing ran without a record. */
export const findMischarges = (operations: Operations, executions: Recorded): readonly string[] => {
  const wrong = [...operations].flatMap(([identity, operation]) => {
    const why = wrongCharge(operation, ranOf(executions, identity));
    return why === null ? [] : [`${identity} (${operation.id}): ${why}`];
  });
  const unrecorded = [...executions].flatMap(([marker, { count }]) =>
    count > 0 && !operations.has(identityOf(marker)) ? [`${marker} ran without a record`] : [],
  );
  return [...wrong, ...unrecorded];
};

/**
 * Uncertain, though nothing was lost: its upstream said what was used, and the process that asked lived to answer its client.
 * A store that was killed, or a process that could not renew its leases, is a cause that only the caller knows.
 */
export const findUnexplained = (
  operations: Operations,
  executions: Recorded,
  { markedUncertain, broken }: Pick<Facts, 'markedUncertain' | 'broken'>,
): readonly string[] =>
  [...operations].flatMap(([identity, { id, state }]) => {
    if (state !== 'uncertain' || ranOf(executions, identity)?.measured === false) return [];
    return markedUncertain.has(identity) || !broken.has(identity)
      ? [`${identity} (${id}) is uncertain, though it was measured and no process died`]
      : [];
  });

const isOpen = ({ state }: Operation): boolean => state !== 'completed' && state !== 'failed' && state !== 'uncertain';

/** Operations that are neither ended nor known to be uncertain. */
export const findStuck = (operations: Operations): readonly string[] =>
  [...operations.values()].flatMap((each) => (isOpen(each) ? [`${each.id} is still ${each.state}`] : []));
