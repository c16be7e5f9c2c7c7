import { microsFromCredits, type CallerLimits, type KeyInput } from '@tollgate/engine';
import { parseCap } from '../cap-text.ts';

/** What one row of an import says: a key of an account, or an account alone. */
export interface ImportRow {
  /** Where it stands in its file, such as `line 3` or `keys[2]`. */
  readonly place: string;
  /** The account's id of the old gateway. */
  readonly account: string;
  readonly accountName: string | null;
  readonly plan: string | null;
  /** What the account has left, in micro-credits; null where the row does not say. */
  readonly balanceMicros: bigint | null;
  /** Of all its projects together. */
  readonly limits: CallerLimits | null;
  /** The old id of the project; an account has one without it. */
  readonly project: string | null;
  readonly key: ImportedKey | null;
}

/** A key with its terms, by its id of the old gateway. */
export interface ImportedKey extends Omit<KeyInput, 'projectId' | 'model' | 'metadata'> {
  /** Its reference in the project. */
  readonly reference: string;
}

/** A row before it is read: members as an export or the head of a CSV file names them. */
export interface RawRow {
  readonly place: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The members of a row. */
export const rowFields = [
  'account',
  'account_name',
  'plan',
  'balance',
  'account_requests_per_minute',
  'account_tokens_per_minute',
  'account_concurrent_requests',
  'project',
  'key',
  'key_name',
  'models',
  'expires',
  'cap',
  'requests_per_minute',
  'tokens_per_minute',
  'concurrent_requests',
] as const;

export type RowField = (typeof rowFields)[number];

/** A field that cannot be taken; its message names the field, what came and what is accepted. */
export class FieldError extends Error {
  override readonly name = 'FieldError';
  readonly code = 'import_field';
  readonly field: RowField | null;
  readonly fault: string;

  constructor(field: RowField | null, fault: string) {
    super(field === null ? fault : `${field} ${fault}`);
    this.field = field;
    this.fault = fault;
  }

  /** The message with the name that the file has for the field. */
  messageIn(names: FieldNames): string {
    return this.field === null ? this.fault : `${names[this.field] ?? this.field} ${this.fault}`;
  }
}

/** What an export calls the fields of a row. */
export type FieldNames = Readonly<Partial<Record<RowField, string>>>;

const idCharsMax = 200;
const shownCharsMax = 60;

const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? `'${value}'` : (JSON.stringify(value) ?? String(value));
  return text.length > shownCharsMax ? `${text.slice(0, shownCharsMax)}…` : text;
};

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** The text of a member; null where it is absent or empty. */
const textOf = ({ fields }: RawRow, name: RowField, charsMax = idCharsMax): string | null => {
  const value = fields[name];
  if (!isGiven(value)) return null;
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.trim() === '' || text.length > charsMax)
    throw new FieldError(name, `is ${shown(value)}; accepted is a text of 1 to ${charsMax} characters`);
  return text.trim();
};

const creditsOf = (row: RawRow, name: RowField): bigint | null => {
  const text = textOf(row, name);
  if (text === null) return null;
  try {
    const micros = microsFromCredits(text);
    if (micros >= 0n) return micros;
  } catch {
    // Said below, with what is accepted.
  }
  throw new FieldError(name, `is ${shown(text)}; accepted are credits from 0, with at most six decimals`);
};

const rateOf = (row: RawRow, name: RowField): number | undefined => {
  const text = textOf(row, name);
  if (text === null) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new FieldError(name, `is ${shown(text)}; accepted is a whole number from 1 to 999999999`);
  return Number(text);
};

const expiresOf = (row: RawRow): number | null => {
  const text = textOf(row, 'expires');
  if (text === null) return null;
  const atMs = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(atMs))
    throw new FieldError('expires', `is ${shown(text)}; accepted is a time such as 2027-01-01T00:00:00Z`);
  return atMs;
};

const modelCharsMax = 100_000;

/** Models with commas between, or as a list. */
const modelsOf = (row: RawRow): readonly string[] | null => {
  const value = row.fields['models'];
  const named = Array.isArray(value) ? value : (textOf(row, 'models', modelCharsMax)?.split(',') ?? []);
  const models = named.map((model: unknown) => {
    if (typeof model === 'string' && model.trim() !== '') return model.trim();
    throw new FieldError(
      'models',
      `has ${shown(model)}; accepted are names of models, with commas between or as a list`,
    );
  });
  return models.length === 0 ? null : [...new Set(models)];
};

/** The limits of a key, or of its account. */
const limitsOf = (row: RawRow, of: '' | 'account_'): CallerLimits | null => {
  const limits = {
    requestsPerMinute: rateOf(row, `${of}requests_per_minute`),
    tokensPerMinute: rateOf(row, `${of}tokens_per_minute`),
    concurrentRequests: rateOf(row, `${of}concurrent_requests`),
  };
  return Object.values(limits).some((rate) => rate !== undefined) ? limits : null;
};

const capOf = (row: RawRow): ImportedKey['cap'] => {
  const text = textOf(row, 'cap');
  return text === null ? null : parseCap(text, (fault) => new FieldError('cap', fault));
};

/** The members that need a key. */
const keyTermFields = rowFields.slice(rowFields.indexOf('key') + 1);

const keyOf = (row: RawRow): ImportedKey | null => {
  const reference = textOf(row, 'key');
  if (reference === null) {
    const lone = keyTermFields.find((name) => isGiven(row.fields[name]));
    if (lone !== undefined) throw new FieldError(lone, 'stands in a row without a key');
    return null;
  }
  return {
    reference,
    name: textOf(row, 'key_name') ?? '',
    models: modelsOf(row),
    expiresAtMs: expiresOf(row),
    cap: capOf(row),
    limits: limitsOf(row, ''),
  };
};

/** Reads a row, and throws a `FieldError` for the first field that it cannot take. */
export const parseImportRow = (row: RawRow): ImportRow => {
  const unknown = Object.keys(row.fields).find((name) => !rowFields.some((known) => known === name));
  if (unknown !== undefined)
    throw new FieldError(null, `${unknown} is no field of a row; accepted are ${rowFields.join(', ')}`);
  const account = textOf(row, 'account');
  if (account === null) throw new FieldError('account', 'is missing; accepted is the id of the old gateway');
  return {
    place: row.place,
    account,
    accountName: textOf(row, 'account_name'),
    plan: textOf(row, 'plan', 128),
    balanceMicros: creditsOf(row, 'balance'),
    limits: limitsOf(row, 'account_'),
    project: textOf(row, 'project'),
    key: keyOf(row),
  };
};
