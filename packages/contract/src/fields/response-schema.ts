import { checkClientSchema } from './client-schema.ts';
import { fieldPath } from './field-path.ts';
import type { Path } from './field-fault.ts';
import { GatewayError } from '../http/gateway-error.ts';
import { schemaBounds } from '../limits.ts';
import { patternsOf } from './schema-patterns.ts';

const { patternCharsMax, patternsCharsMax, propertyEscapesMax } = schemaBounds;

const propertyEscape = /\\p\{/gi;

const refuse = (path: Path, fault: string): never => {
  throw new GatewayError('invalid_request', { detail: `The field ${fieldPath(path)} ${fault}.` });
};

/** Bounds what a check of the response compiles: nothing can interrupt the compilation of a regular expression. */
const checkPatterns = (schema: object, path: Path): void => {
  let chars = 0;
  let escapes = 0;
  for (const { path: inner, pattern } of patternsOf(schema)) {
    const place = [...path, ...inner];
    if (pattern.length > patternCharsMax)
      refuse(place, `has a pattern of ${pattern.length} characters; accepted are at most ${patternCharsMax}`);
    chars += pattern.length;
    escapes += pattern.match(propertyEscape)?.length ?? 0;
    if (chars > patternsCharsMax)
      refuse(
        place,
        `brings the patterns of its schema to ${chars} characters; accepted are at most ${patternsCharsMax}`,
      );
    if (escapes > propertyEscapesMax)
      refuse(
        place,
        `brings the patterns of its schema to ${escapes} property escapes such as \\p{L}; accepted are at most ${propertyEscapesMax}`,
      );
  }
};

/**
 * Bounds the schema of a response, which the gateway itself works with: as every schema of a client, and its patterns. Throws an
 * error that names the field, what came and what is accepted.
 */
export const checkResponseSchema = (schema: unknown, path: Path): void => {
  checkClientSchema(schema, path);
  if (typeof schema === 'object' && schema !== null) checkPatterns(schema, path);
};
