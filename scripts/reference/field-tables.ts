// Tables of fields, from the schemas of the OpenAPI description.
import { asRecord, recordsIn, textIn, textsIn, type JsonObject } from './json-object.ts';

export interface FieldRow {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly limits: string;
  readonly meaning: string;
}

/** Fields under a heading: of the whole body, or of one form of a field that has several. */
export interface FieldTable {
  readonly heading: string;
  readonly rows: readonly FieldRow[];
}

const inCode = (text: string): string => `\`${text.replaceAll('|', String.raw`\|`)}\``;

/** The name of the schema that a node refers to. */
export const refOf = (node: JsonObject): string | undefined => textIn(node, '$ref')?.split('/').at(-1);

/** Where a schema is described, for links. */
export type LinkOf = (schema: string) => string;

const formats: Readonly<Record<string, string>> = {
  uuid: 'UUID',
  'date-time': 'time, ISO 8601',
  uri: 'URL',
};

const isNull = (node: JsonObject): boolean => node['type'] === 'null';

const enumText = (values: readonly unknown[]): string =>
  values.map((value) => inCode(JSON.stringify(value))).join(', ');

/** The type of a value in words. */
export const typeOf = (node: JsonObject, linkOf: LinkOf): string => {
  const ref = refOf(node);
  if (ref !== undefined) return linkOf(ref);
  const { const: only, enum: values, type } = node;
  if (only !== undefined) return inCode(JSON.stringify(only));
  if (Array.isArray(values)) return enumText(values);
  const forms = [...recordsIn(node, 'anyOf'), ...recordsIn(node, 'oneOf')];
  if (forms.length > 0) return [...new Set(forms.map((form) => typeOf(form, linkOf)))].join(' or ');
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...node, type: one }, linkOf)).join(' or ');
  if (type === 'array') return `list of ${typeOf(asRecord(node['items']), linkOf)}`;
  const format = textIn(node, 'format');
  return (format === undefined ? undefined : formats[format]) ?? (typeof type === 'string' ? type : 'any value');
};

const figure = (value: unknown): string => (typeof value === 'number' ? value.toLocaleString('en-US') : String(value));

const between = (least: unknown, most: unknown, unit = ''): readonly string[] => {
  const counted = (count: unknown): string =>
    unit === '' ? figure(count) : `${figure(count)} ${unit}${count === 1 ? '' : 's'}`;
  if (least === undefined && most === undefined) return [];
  if (least === undefined) return [`at most ${counted(most)}`];
  if (most === undefined) return [`at least ${counted(least)}`];
  return [least === most ? counted(least) : `${figure(least)} to ${counted(most)}`];
};

/** Bounds of whole numbers that only say that the number is exact. */
const isExactness = (value: unknown): boolean =>
  typeof value === 'number' && Math.abs(value) >= Number.MAX_SAFE_INTEGER;

const numberLimits = ({ minimum, maximum }: JsonObject): readonly string[] =>
  between(isExactness(minimum) ? undefined : minimum, isExactness(maximum) ? undefined : maximum);

/** The bounds of a value in words, and its default. */
const limitsOf = (node: JsonObject): string => {
  const forms = [...recordsIn(node, 'anyOf'), ...recordsIn(node, 'oneOf')].filter((form) => !isNull(form));
  const least = node['minLength'] === 0 ? undefined : node['minLength'];
  const own = [
    ...between(least, node['maxLength'], 'character'),
    ...between(node['minItems'], node['maxItems'], 'item'),
    ...numberLimits(node),
    ...(node['default'] === undefined ? [] : [`default ${inCode(JSON.stringify(node['default']))}`]),
  ];
  const inner = forms.map(limitsOf).filter((text) => text !== '');
  return [...own, ...new Set(inner)].join('; ');
};

/** The objects that a value can be: itself, the items of a list, or the forms that it has. */
const objectsOf = (node: JsonObject): readonly JsonObject[] => {
  const forms = [...recordsIn(node, 'anyOf'), ...recordsIn(node, 'oneOf')];
  if (forms.length > 0) return forms.flatMap(objectsOf);
  if (node['type'] === 'array') return objectsOf(asRecord(node['items']));
  return Object.keys(asRecord(node['properties'])).length > 0 ? [node] : [];
};

const holdsList = (node: JsonObject): boolean =>
  node['type'] === 'array' || [...recordsIn(node, 'anyOf'), ...recordsIn(node, 'oneOf')].some(holdsList);

/** What tells one form of a value from the others: a field with one value, else its first required field. */
const formName = (form: JsonObject): string => {
  const properties = Object.entries(asRecord(form['properties'])).map(
    ([name, node]) => [name, asRecord(node)] as const,
  );
  const telling = properties.find(([, node]) => node['const'] !== undefined || Array.isArray(node['enum']));
  if (telling !== undefined && telling[0] !== 'thought') {
    const [name, node] = telling;
    return `with ${inCode(name)} ${typeOf(node, (ref) => ref)}`;
  }
  return `with ${inCode(textsIn(form, 'required')[0] ?? properties[0]?.[0] ?? '')}`;
};

interface Found {
  readonly rows: readonly FieldRow[];
  readonly tables: readonly FieldTable[];
}

const joined = (found: readonly Found[]): Found => ({
  rows: found.flatMap(({ rows }) => rows),
  tables: found.flatMap(({ tables }) => tables),
});

/** What lies below a field: its own fields in the same table, or a table for each form. */
const belowField = (node: JsonObject, place: string, linkOf: LinkOf): Found => {
  const forms = objectsOf(node);
  const at = holdsList(node) ? `${place}[]` : place;
  const [only] = forms;
  if (only === undefined) return { rows: [], tables: [] };
  if (forms.length === 1) return fieldsOf(only, `${at}.`, linkOf);
  const tables = forms.flatMap((form) => {
    const { rows, tables: inner } = fieldsOf(form, '', linkOf);
    return [{ heading: `${inCode(at)} ${formName(form)}`, rows }, ...inner];
  });
  return { rows: [], tables };
};

const fieldsOf = (schema: JsonObject, prefix: string, linkOf: LinkOf): Found => {
  const required = textsIn(schema, 'required');
  const found = Object.entries(asRecord(schema['properties'])).map(([name, value]): Found => {
    const node = asRecord(value);
    const below = refOf(node) === undefined ? belowField(node, `${prefix}${name}`, linkOf) : { rows: [], tables: [] };
    const row: FieldRow = {
      name: `${prefix}${name}`,
      type: typeOf(node, linkOf),
      isRequired: required.includes(name),
      limits: limitsOf(node),
      meaning: textIn(node, 'description') ?? '',
    };
    return { rows: [row, ...below.rows], tables: below.tables };
  });
  return joined(found);
};

/** The tables of a schema: of its own fields, and of each form of fields that have several. */
export const fieldTables = (schema: JsonObject, linkOf: LinkOf): readonly FieldTable[] => {
  const { rows, tables } = fieldsOf(schema, '', linkOf);
  return [{ heading: '', rows }, ...tables];
};
