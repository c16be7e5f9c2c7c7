import type { Records, SettingRecord, Write } from '@tollgate/storage';

/** Where an account is that was moved, as a cell knows it that it left or came to. */
export interface MovedPlace {
  readonly accountId: string;
  /** The name of the cell. */
  readonly cell: string;
  /** How often it was moved. Of two cells the one that knows of more moves is right. */
  readonly serial: number;
  /** The last of these moves. */
  readonly moveId: string;
  /** The cells in which blobs and vectors of it may be beside this one. */
  readonly earlier: readonly string[];
}

/** What the ids of these rows begin with. */
export const placePrefix = 'cells:place:';

export const placeKey = (accountId: string) => ({ table: 'setting', id: `${placePrefix}${accountId}` }) as const;

/** Only `placeWrite` writes the rows. */
const isPlace = (value: unknown): value is MovedPlace =>
  typeof value === 'object' && value !== null && 'accountId' in value && 'cell' in value && 'serial' in value;

export const placeOfRow = ({ id, value }: SettingRecord): MovedPlace => {
  const place: unknown = JSON.parse(value);
  if (!isPlace(place)) throw new Error(`the row ${id} holds no place`);
  return place;
};

export const placeOf = (records: Records, accountId: string): MovedPlace | undefined => {
  const { table, id } = placeKey(accountId);
  const row = records.get(table, id);
  return row && placeOfRow(row);
};

export const placeWrite = (place: MovedPlace): Write => {
  const { table, id } = placeKey(place.accountId);
  return { kind: 'put', table, record: { id, value: JSON.stringify(place) } };
};
