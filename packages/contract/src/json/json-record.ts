import { z } from 'zod';

/** A JSON object whose members are the client's own. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Tells a JSON object from a list, null and everything else. */
export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Any JSON object, taken as it is: checked from outside only, so that a very large one costs nothing. */
export const JsonRecord = z
  .custom<JsonRecord>(isRecord)
  .meta({ override: { type: 'object', additionalProperties: true } });
