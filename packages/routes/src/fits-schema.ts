import { Validator } from '@cfworker/json-schema';
import type { JsonObject } from '@tollgate/provider';

const draft = '2020-12';

/**
 * Whether a value is of the structure that a schema asks for. Throws for a schema that the validator does not understand; a
 * reference to another document is one: nothing is ever fetched. A hostile schema can make it run without end.
 */
export const fitsSchema = (schema: JsonObject, value: unknown): boolean =>
  new Validator(schema, draft).validate(value).valid;
