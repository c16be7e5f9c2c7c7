import { z } from 'zod';
import { camelCaseBody } from '../../generate/camel-case-body.ts';
import { StrictGeneratePart } from '../../generate/generate-part.ts';
import { parseContents, type GenerateContent, type GeneratePolicy } from '../../generate/generate-request.ts';
import { isRecord } from '../../json/json-record.ts';
import { keptText } from '../../fields/kept-text.ts';
import { generateBounds, limits } from '../../limits.ts';
import { parseStrictBody, requireRecord } from '../../http/strict-body.ts';

const { ttlSecondsMin, ttlSecondsMax } = limits.cache;
const { contentsMax, partsPerContentMax, textFieldCharsMax } = generateBounds;

const ttl = z.int().min(ttlSecondsMin).max(ttlSecondsMax);

const fields = {
  display_name: keptText(textFieldCharsMax).exactOptional(),
  ttl_seconds: ttl,
};

// caches:body:fields
/** The body of POST /caches as the contract publishes it. `parseCacheRequest` checks more than a schema can. */
export const CacheRequestBody = z.strictObject({
  ...fields,
  contents: z
    .array(
      z.strictObject({
        role: z.enum(['user', 'model']).exactOptional(),
        parts: z.array(StrictGeneratePart).min(1).max(partsPerContentMax),
      }),
    )
    .min(1)
    .max(contentsMax),
});

// caches:patch:ttl-required
/** The body of PATCH /caches/{id}. */
export const CachePatchBody = z.strictObject({ ttl_seconds: ttl });

/** A checked cache. */
export interface CacheRequest {
  readonly displayName: string | null;
  readonly ttlSeconds: number;
  readonly contents: readonly GenerateContent[];
}

const Fields = z.strictObject(fields);

/** The keys of the body itself are in snake case already; only the contents may come in either. */
const contentsOf = (contents: unknown, snakeCase: boolean): unknown => {
  if (!snakeCase) return contents;
  const camel = camelCaseBody({ contents });
  return isRecord(camel) ? camel['contents'] : contents;
};

/** Reads the parsed JSON body of POST /caches. Throws nothing but a `GatewayError` whose message names the field. */
export const parseCacheRequest = (body: unknown, { googleCompat, snakeCase }: GeneratePolicy): CacheRequest => {
  const { contents, ...rest } = requireRecord(body);
  const { display_name, ttl_seconds } = parseStrictBody(Fields, rest);
  return {
    displayName: display_name ?? null,
    ttlSeconds: ttl_seconds,
    contents: parseContents(contentsOf(contents, snakeCase), { googleCompat, roleMayMiss: true }),
  };
};

/** Reads the parsed JSON body of PATCH /caches/{id} and returns the new time to live. */
export const parseCachePatch = (body: unknown): number => parseStrictBody(CachePatchBody, body).ttl_seconds;
