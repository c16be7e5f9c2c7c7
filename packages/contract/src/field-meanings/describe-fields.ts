import { isRecord, type JsonRecord } from '../json/json-record.ts';
import { contentFields } from './content-fields.ts';
import { recordFields } from './record-fields.ts';
import { requestFields } from './request-fields.ts';

const meanings: Readonly<Record<string, string>> = { ...contentFields, ...requestFields, ...recordFields };

/** Where a field stands: the schema of the description, and the nearest field above. */
interface Place {
  readonly schema: string;
  readonly above: string;
}

const meaningOf = (name: string, { schema, above }: Place): string | undefined =>
  (above === '' ? meanings[`${schema}.${name}`] : meanings[`${above}.${name}`]) ?? meanings[name];

/** Records stand in `data` of a list, and bytes in that of others. */
const isList = ({ object }: JsonRecord): boolean => isRecord(object) && object['const'] === 'list';

/** The fields of an object, each with what it means where its schema does not say so itself. */
const describeProperties = (properties: JsonRecord, place: Place): JsonRecord =>
  Object.fromEntries(
    Object.entries(properties).map(([name, value]) => {
      const inner = describeNode(value, { schema: place.schema, above: name });
      const own = meaningOf(name, place);
      const meaning = name === 'data' && isList(properties) ? recordFields['list.data'] : own;
      const described = !isRecord(inner) || 'description' in inner || meaning === undefined;
      return [name, described ? inner : { ...inner, description: meaning }];
    }),
  );

/** A node of a description with what its fields mean. */
const describeNode = (node: unknown, place: Place): unknown => {
  if (Array.isArray(node)) return node.map((one: unknown) => describeNode(one, place));
  if (!isRecord(node)) return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [
      name,
      name === 'properties' && isRecord(value) ? describeProperties(value, place) : describeNode(value, place),
    ]),
  );
};

/** Schemas by name, or whatever holds schemas, with what their fields mean. */
export const describeFields = (schemas: JsonRecord): JsonRecord =>
  Object.fromEntries(
    Object.entries(schemas).map(([schema, node]) => [schema, describeNode(node, { schema, above: '' })]),
  );
