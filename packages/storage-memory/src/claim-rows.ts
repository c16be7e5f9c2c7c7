import type { ClaimQuery, ClaimableTable, Tables } from '@tollgate/storage';
import { frozenRecord } from './frozen-record.ts';
import type { MemoryDisk } from './memory-disk.ts';

type Claimable = Tables[ClaimableTable];

const isClaimable = (row: Tables[keyof Tables]): row is Claimable => 'dueAtMs' in row;

/** Leases the rows that have been due longest, and answers them as they now are. */
export const claimRows = (disk: MemoryDisk, query: ClaimQuery, nowMs: number): readonly Claimable[] => {
  const due = [...disk.rows(query.table).values()]
    .filter((row) => isClaimable(row))
    .map((row) => ({ row, dueAtMs: row.dueAtMs ?? Infinity }))
    .filter(({ dueAtMs }) => dueAtMs <= nowMs)
    .toSorted((a, b) => a.dueAtMs - b.dueAtMs)
    .slice(0, query.limit);
  const lease = { owner: query.owner, dueAtMs: nowMs + query.leaseMs };
  const leased = due.map(({ row }) => frozenRecord<ClaimableTable>(query.table, { ...row, ...lease }));
  for (const row of leased) disk.put(query.table, row);
  return leased;
};
