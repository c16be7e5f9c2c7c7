import { z } from 'zod';
import { decodeBase64 } from '../../media/base64.ts';
import { EnvironmentNetworkBody, toEnvironmentNetwork, type EnvironmentNetwork } from './environment-network.ts';
import { clashAmong, isEnvironmentPath } from './environment-path.ts';
import { fieldPath } from '../../fields/field-path.ts';
import { GatewayError } from '../../http/gateway-error.ts';
import { keptText } from '../../fields/kept-text.ts';
import { environmentBounds, interactionBounds, limits } from '../../limits.ts';
import { listError } from '../../fields/refused-value.ts';
import { parseStrictBody, requireRecord } from '../../http/strict-body.ts';

const { sourcesMax } = environmentBounds;
const { inlineSourceBytesMax } = limits.environment;

const Source = z.strictObject({
  type: z.literal('inline'),
  target: z.string().meta({ description: 'A relative path, unique in the request.' }),
  content: z.string(),
  encoding: z.literal('base64').exactOptional(),
});

// environments:body:fields, environments:body:source-inline-only
/** The body of POST /environments. */
export const EnvironmentRequestBody = z.strictObject({
  display_name: keptText(interactionBounds.textFieldCharsMax).exactOptional(),
  sources: z.array(Source).max(sourcesMax).exactOptional(),
  network: EnvironmentNetworkBody.exactOptional(),
});
type EnvironmentFields = z.infer<typeof EnvironmentRequestBody>;

/** One file that an environment begins with. */
export interface EnvironmentSource {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A checked environment. */
export interface EnvironmentRequest {
  readonly displayName: string | null;
  readonly sources: readonly EnvironmentSource[];
  /** Null where the client leaves it to the host. */
  readonly network: EnvironmentNetwork | null;
}

const invalid = (detail: string): GatewayError => new GatewayError('invalid_request', { detail });

const parseFields = (value: unknown): EnvironmentFields => {
  const { sources } = requireRecord(value);
  // Counted first: a schema looks at every entry before it counts them.
  if (Array.isArray(sources) && sources.length > sourcesMax) throw listError(['sources'], sources, [0, sourcesMax]);
  return parseStrictBody(EnvironmentRequestBody, value);
};

const contentBytes = ({ content, encoding }: z.infer<typeof Source>, where: string): Uint8Array => {
  if (content === '') return new Uint8Array();
  if (encoding === undefined && !content.isWellFormed())
    throw invalid(`The field ${where} is not well-formed text; accepted is text of whole characters.`);
  const bytes = encoding === undefined ? Buffer.from(content) : decodeBase64(content);
  if (bytes === null) throw invalid(`The field ${where} is no base64; accepted is base64 without a prefix.`);
  if (bytes.length > inlineSourceBytesMax)
    throw invalid(`The field ${where} holds ${bytes.length} bytes; accepted are at most ${inlineSourceBytesMax}.`);
  return bytes;
};

const toSource = (source: z.infer<typeof Source>, index: number): EnvironmentSource => {
  if (!isEnvironmentPath(source.target))
    throw invalid(
      `The field ${fieldPath(['sources', index, 'target'])} is no such path; accepted is a relative path without "..".`,
    );
  return { path: source.target, bytes: contentBytes(source, fieldPath(['sources', index, 'content'])) };
};

/** Reads the parsed JSON body of POST /environments. Throws nothing but a `GatewayError` whose message names the field. */
export const parseEnvironmentRequest = (value: unknown): EnvironmentRequest => {
  const { display_name, sources: asked = [], network } = parseFields(value);
  const sources = asked.map(toSource);
  const clash = clashAmong(sources.map(({ path }) => path));
  if (clash !== null) {
    const index = sources.findLastIndex(({ path }) => path === clash);
    throw invalid(
      `The field ${fieldPath(['sources', index, 'target'])} names what another target is or needs; accepted are targets that do not meet.`,
    );
  }
  return {
    displayName: display_name ?? null,
    sources,
    network: network === undefined ? null : toEnvironmentNetwork(network),
  };
};
