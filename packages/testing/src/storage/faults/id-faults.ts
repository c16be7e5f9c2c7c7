import { idCharsMax, type Key, type TableName, type Write } from '@tollgate/storage';
import { writeIdOf, type PlainParts } from './plain-parts.ts';
import type { StorageFault } from './storage-fault.ts';

/** Finds and writes rows by an id that was altered; what it keeps of them is right. */
const findingBy =
  (alter: (id: string) => string) =>
  (parts: PlainParts): Partial<PlainParts> => {
    const places = new Map<string, string>();
    // The first id of those that look alike is the one that has the row.
    const placeOf = (table: TableName, id: string): string => {
      const key = `${table} ${alter(id)}`;
      const first = places.get(key) ?? id;
      places.set(key, first);
      return first;
    };
    const moved = (write: Write): Write =>
      write.kind === 'delete' ? { ...write, id: placeOf(write.table, writeIdOf(write)) } : write;
    return {
      find: (table, id) => {
        const exact = parts.find(table, id);
        return exact ?? parts.find(table, placeOf(table, id));
      },
      commit: (writes) => {
        for (const write of writes) placeOf(write.table, writeIdOf(write));
        parts.commit(writes.map(moved));
      },
      keep: (table, record) => {
        if (placeOf(table, record.id) !== record.id) throw new Error('duplicate key');
        return parts.keep(table, record);
      },
    };
  };

const lookAlikes = 'does not take one id for another that looks alike';

const byOthers: readonly (readonly [string, (id: string) => string])[] = [
  ['case', (id) => id.toLowerCase()],
  ['spaces at the end', (id) => id.trimEnd()],
  ['accents', (id) => id.normalize('NFD').replaceAll(/\p{M}/gu, '')],
  ['the form in which accents are composed', (id) => id.normalize('NFC')],
  ['wide and narrow letters', (id) => id.normalize('NFKC')],
  ['characters without a width', (id) => id.replaceAll(/\p{Cf}/gu, '')],
];

export const idFaults: readonly StorageFault[] = [
  ...byOthers.map(([what, alter]) => ({
    name: `does not tell ids apart by ${what}`,
    failing: [lookAlikes],
    fault: findingBy(alter),
  })),
  {
    name: 'cuts ids at 190 characters',
    failing: ['keeps ids of the greatest length apart'],
    fault: findingBy((id) => id.slice(0, 190)),
  },
  {
    name: 'refuses ids of more than 255 characters',
    failing: ['keeps ids of the greatest length apart'],
    fault: () => ({
      checkKeys: (keys: readonly Key[]) => {
        if (keys.some(({ id }) => id.length > idCharsMax / 2)) throw new Error('the id is too long');
      },
    }),
  },
  {
    name: 'ends an id at a NUL',
    failing: ['finds an odd id again or refuses it'],
    fault: findingBy((id) => id.split('\u0000', 1)[0] ?? ''),
  },
  {
    name: 'lists by a value without regard to its case',
    failing: ['lists and claims by a value and not by one that looks alike'],
    fault: (parts) => ({
      belongs: (spec, row, of) =>
        parts.belongs(spec, row, of) ||
        (spec.of !== null && String(Reflect.get(row, spec.of)).toLowerCase() === of.toLowerCase()),
    }),
  },
  {
    name: 'lists rows of one time by their ids without regard to case',
    failing: ['lists rows of one time by the character codes of their ids'],
    fault: () => ({
      comesFirst: (a, b) => a.order > b.order || (a.order === b.order && a.id.localeCompare(b.id) > 0),
      isAfter: (place, cursor) =>
        place.order < cursor.order || (place.order === cursor.order && place.id.localeCompare(cursor.id) < 0),
    }),
  },
  {
    name: 'lists rows of one time from a cursor by another order than its own',
    failing: ['lists rows of one time in one order and each once'],
    fault: () => ({
      isAfter: (place, cursor) =>
        place.order < cursor.order ||
        (place.order === cursor.order && Buffer.compare(Buffer.from(place.id), Buffer.from(cursor.id)) < 0),
      comesFirst: (a, b) => a.order > b.order || (a.order === b.order && a.id.localeCompare(b.id) > 0),
    }),
  },
  {
    name: 'does not tell documents apart by the spaces at their ends',
    failing: ['keeps chunks apart whose documents and stores look alike'],
    fault: () => ({ isRemoved: ({ documentId }, removed) => documentId.trimEnd() === removed.trimEnd() }),
  },
  {
    name: 'does not tell stores apart by case',
    failing: ['keeps chunks apart whose documents and stores look alike'],
    fault: () => ({
      isSearched: ({ storeIds }, { storeId }) => storeIds.some((id) => id.toLowerCase() === storeId.toLowerCase()),
    }),
  },
  {
    name: 'cuts keys of blobs at 255 characters',
    failing: ['keeps blobs apart whose keys have the greatest length'],
    fault: (parts) => ({ blobPlace: (key) => parts.blobPlace(key).slice(0, 255) }),
  },
];
