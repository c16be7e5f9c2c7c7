import type { OperationRecord, Storage } from '@tollgate/storage';
import { ownerOf } from '../torture/victim-setup.ts';
import type { VictimsOptions } from '../torture/victims.ts';
import { askingKey, type KindsFacts } from './kinds-facts.ts';
import { wayOf, type Way } from './ways.ts';

/** In whose hands what was when it died. */
export interface Deaths {
  /** Kills by way in which the killed process had work of that way in its hands, or a request that changes a brief one. */
  readonly byWay: ReadonlyMap<string, number>;
  /** How far the work was, by way: how many pieces of it were found at each phase. */
  readonly phases: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Phases at which each operation lost its worker, by id. */
  readonly ofOperation: ReadonlyMap<string, readonly string[]>;
  /** Called just before a kill; what it answers is called when the process has gone. */
  readonly onKill: NonNullable<VictimsOptions['onKill']>;
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;

const textOr = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);

/** How far a resource's work is, as its record says. */
const phaseOf = (kind: string, work: unknown): string => {
  if (memberOf(work, 'closing') !== undefined) return 'closing';
  if (kind === 'batch') return textOr(memberOf(memberOf(work, 'upstream'), 'phase'), 'none handed');
  return textOr(memberOf(work, 'phase'), 'none');
};

const openStates = ['reserved', 'processing', 'cancelling', 'settling'] as const;
const rowsMax = 100;

const openOperations = async (storage: Storage, owner: string): Promise<readonly OperationRecord[]> => {
  const pages = await Promise.all(openStates.map((of) => storage.list('operationsByState', { of, limit: rowsMax })));
  // A process leases work to one turn at a time, under a name that begins with its own.
  return pages.flat().filter((operation) => operation.owner?.startsWith(`${owner}/`) ?? false);
};

export const createDeaths = (storage: Storage, facts: KindsFacts, ways: readonly Way[]): Deaths => {
  const byWay = new Map<string, number>();
  const phases = new Map<string, Map<string, number>>();
  const ofOperation = new Map<string, string[]>();
  const noteWork = async (operation: OperationRecord): Promise<void> => {
    const { id, kind } = operation;
    const records = await storage.read([{ table: 'resource', id }]);
    const phase = phaseOf(kind, records.get('resource', id)?.work);
    const ofWay = phases.get(wayOf(operation)) ?? new Map<string, number>();
    phases.set(wayOf(operation), ofWay.set(phase, (ofWay.get(phase) ?? 0) + 1));
    ofOperation.set(id, [...(ofOperation.get(id) ?? []), phase]);
  };
  return {
    byWay,
    phases,
    ofOperation,
    onKill: ({ pid, origin }) => {
      const cut = ways.filter(
        ({ name, isBrief }) => isBrief && origin !== null && (facts.asking.get(askingKey(name, origin)) ?? 0) > 0,
      );
      return async () => {
        const operations = await openOperations(storage, ownerOf(pid));
        for (const operation of operations) await noteWork(operation);
        const hit = new Set([...cut.map(({ name }) => name), ...operations.map(wayOf)]);
        for (const name of hit) byWay.set(name, (byWay.get(name) ?? 0) + 1);
      };
    },
  };
};
