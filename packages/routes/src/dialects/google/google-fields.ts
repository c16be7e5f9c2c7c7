import {
  fieldPath,
  generateBounds,
  GatewayError,
  refusedValue,
  unknownFieldSentence,
  type Path,
} from '@tollgate/contract';

/** The members of an object of a body. */
export type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * The members of an object that may have these names and no other, in the spelling of the names: these clients write them in
 * camel case or in snake case.
 */
export const fieldsAt = (value: unknown, path: Path, names: readonly string[]): Fields => {
  if (!isFields(value)) throw refusedValue('invalid_request', { path, value, accepted: 'is an object' });
  const known = new Map(names.flatMap((name) => [[name, name] as const, [snakeCase(name), name] as const]));
  const members = Object.entries(value).map(([sent, member]) => {
    const name = known.get(sent);
    if (name === undefined)
      throw new GatewayError('unsupported_parameter', { detail: unknownFieldSentence([...path, sent], names) });
    return [name, member] as const;
  });
  return Object.fromEntries(members.filter(([, member]) => member !== undefined && member !== null));
};

/** The name that a client gives a resource; these clients send an empty one for none. */
export const displayNameAt = (value: unknown, path: Path): string | null => {
  if (value === undefined || value === '') return null;
  const charsMax = generateBounds.textFieldCharsMax;
  if (typeof value === 'string' && value.length <= charsMax && value.isWellFormed() && !value.includes('\0'))
    return value;
  throw refusedValue('invalid_request', { path, value, accepted: `is text of 1 to ${charsMax} characters` });
};

/** The model that a field names as `models/{id}`; undefined where it names none. */
export const modelAt = (value: unknown, path: Path): string | undefined => {
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value === '')
    throw refusedValue('invalid_request', { path, value, accepted: 'is models/<model>' });
  return value.replace(/^models\//, '');
};

/** Refuses a field that names another model than the path does. */
export const checkModelAt = (value: unknown, path: Path, model: string): void => {
  const named = modelAt(value, path);
  if (named !== undefined && named !== model)
    throw new GatewayError('model_key_mismatch', {
      detail: `The field ${fieldPath(path)} names another model than the path; accepted is models/${model}, or none.`,
    });
};
