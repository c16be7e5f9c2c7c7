import type { StorageFault } from './storage-fault.ts';

const leases = 'leases a due row and returns it as it now is: ';

export const claimFaults: readonly StorageFault[] = [
  {
    name: 'does not say who took charge',
    failing: [leases],
    fault: (parts) => ({
      lease: (row, query, nowMs) => ({ ...parts.lease(row, query, nowMs), owner: null }),
    }),
  },
  {
    name: 'answers claimed rows as they were before',
    failing: [leases],
    fault: () => ({ claimed: (before) => before }),
  },
  {
    name: 'claims rows before they are due',
    failing: ['claims no row that is not due'],
    fault: () => ({ isDue: (dueAtMs) => dueAtMs !== null }),
  },
  {
    name: 'claims rows that are never due',
    failing: ['claims no row that is not due'],
    fault: (parts) => ({ isDue: (dueAtMs, nowMs) => dueAtMs === null || parts.isDue(dueAtMs, nowMs) }),
  },
  {
    name: 'claims what became due last',
    failing: ['claims what has been due longest first'],
    fault: (parts) => ({
      pickDue: (rows, query) => parts.pickDue(rows, { ...query, limit: rows.length }).slice(-query.limit),
    }),
  },
  {
    name: 'claims everything that is due',
    failing: ['claims what has been due longest first, and no more than the limit'],
    fault: () => ({ pickDue: (rows) => rows }),
  },
  {
    name: 'claims a row again at once',
    failing: ['claims a row again only when its lease has run out'],
    fault: (parts) => ({ lease: (row, query, nowMs) => parts.lease(row, { ...query, leaseMs: 0 }, nowMs) }),
  },
  {
    name: 'never claims a row of a dead worker again',
    failing: ['claims a row again only when its lease has run out'],
    fault: (parts) => ({ lease: (row, query, nowMs) => parts.lease(row, { ...query, leaseMs: 1e12 }, nowMs) }),
  },
  {
    name: 'chooses due rows without locking them, so that two workers get the same',
    failing: ['leases each row to one of many workers'],
    fault: () => ({ pauseInClaim: () => new Promise((resolve) => void setImmediate(resolve)) }),
  },
  {
    name: 'never gives a worker its own rows again',
    failing: ['gives a worker its own rows again'],
    fault: (parts) => ({
      pickDue: (rows, query) =>
        parts.pickDue(
          rows.filter((row) => Reflect.get(row, 'owner') !== query.owner),
          query,
        ),
    }),
  },
  {
    name: 'passes over rows that another claim has seen',
    failing: ['takes all due rows by claims that come at once'],
    fault: (parts) => {
      let claims = 0;
      return {
        pickDue: (rows, query) => {
          claims += 1;
          if (claims === 1) setImmediate(() => (claims = 0));
          return parts.pickDue(rows, query).slice(0, claims === 1 ? query.limit : query.limit - 1);
        },
      };
    },
  },
  {
    name: 'claims due rows in the order of their ids',
    failing: ['claims what has been due longest first where many rows are due'],
    fault: () => ({
      pickDue: (rows, { limit }) => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)).slice(0, limit),
    }),
  },
  {
    name: 'writes a claimed row as it was when it was chosen',
    failing: ['loses neither a claim nor a step that come at once'],
    fault: () => ({ pauseInClaim: () => new Promise((resolve) => void setTimeout(resolve, 2)) }),
  },
];
