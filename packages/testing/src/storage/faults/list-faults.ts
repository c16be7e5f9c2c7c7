import { fieldOf } from './plain-parts.ts';
import type { StorageFault } from './storage-fault.ts';

const anyIndex = 'lists an index newest first, page by page, and only its rows: ';

export const listFaults: readonly StorageFault[] = [
  {
    name: 'compares the first 255 characters of a value',
    failing: ['lists by a value of the greatest length'],
    fault: (parts) => ({
      belongs: (spec, row, of) =>
        parts.belongs(spec, row, of) ||
        (spec.of !== null && of.length > 255 && String(fieldOf(row, spec.of)).slice(0, 255) === of.slice(0, 255)),
    }),
  },
  {
    name: 'lists oldest first',
    failing: [anyIndex],
    fault: () => ({ comesFirst: (a, b) => a.order < b.order || (a.order === b.order && a.id < b.id) }),
  },
  {
    name: 'lists the row of the cursor again',
    failing: [anyIndex],
    fault: (parts) => ({
      isAfter: (place, cursor) =>
        parts.isAfter(place, cursor) || (place.order === cursor.order && place.id === cursor.id),
    }),
  },
  {
    name: 'skips the rows that tie with the cursor',
    failing: [anyIndex],
    fault: () => ({ isAfter: (place, cursor) => place.order < cursor.order }),
  },
  {
    name: 'leaves ties in any order',
    failing: [anyIndex],
    fault: () => ({ comesFirst: (a, b) => a.order > b.order || (a.order === b.order && a.id < b.id) }),
  },
  {
    name: 'lists rows of others',
    failing: [`${anyIndex}projectsByAccount`, `${anyIndex}entriesByAccount`],
    fault: (parts) => ({ belongs: (spec, row, of) => parts.belongs({ ...spec, of: null }, row, of) }),
  },
  {
    name: 'ignores that a column must be null',
    failing: [`${anyIndex}operationsByState`, 'moves a row between indexes'],
    fault: () => ({
      belongs: (spec, row, of) =>
        (spec.of === null || fieldOf(row, spec.of) === of) &&
        (spec.whereNotNull === undefined || fieldOf(row, spec.whereNotNull) !== null),
    }),
  },
  {
    name: 'ignores that a column must not be null',
    failing: [`${anyIndex}pendingOperationsByAccount`, 'moves a row between indexes'],
    fault: () => ({
      belongs: (spec, row, of) =>
        (spec.of === null || fieldOf(row, spec.of) === of) &&
        (spec.whereNull === undefined || fieldOf(row, spec.whereNull) === null),
    }),
  },
  {
    name: 'takes any limit',
    failing: ['lists at most 100 rows', 'refuses to claim fewer than 1 or more than 100 rows'],
    fault: () => ({ checkLimit: () => undefined }),
  },
];
