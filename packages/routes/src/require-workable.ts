import { GatewayError, isWorkableSchema } from '@tollgate/contract';
import { lacksMeans, type Intent } from '@tollgate/engine';
import type { JsonObject } from '@tollgate/provider';
import type { Service } from './service.ts';

const noSchemaError = (field: string): GatewayError =>
  new GatewayError('invalid_request', {
    detail: `The field ${field} is an object that is no JSON Schema; accepted is a JSON Schema.`,
  });

/** Refuses a schema by which no answer could be judged. Its size was bounded before. */
export const checkWorkable = (schema: JsonObject | undefined, field: string): void => {
  if (schema !== undefined && !isWorkableSchema(schema)) throw noSchemaError(field);
};

/** The same before anything is reserved, but not for a caller who could not pay for an answer: that check comes first. */
export const requireWorkable = (
  service: Pick<Service, 'engine'>,
  schema: JsonObject | undefined,
  field: string,
  intent: Intent,
): undefined | Promise<void> => (schema === undefined ? undefined : requireSchema(service, schema, field, intent));

const requireSchema = async (
  { engine }: Pick<Service, 'engine'>,
  schema: JsonObject,
  field: string,
  intent: Intent,
): Promise<void> => {
  if (await lacksMeans(engine, intent)) throw new GatewayError('ai_insufficient_credits');
  checkWorkable(schema, field);
};
