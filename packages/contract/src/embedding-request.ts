import {
  CompatEmbeddingBody,
  EmbeddingRequestBody,
  embeddingFlags,
  embeddingPartsMax,
  type EmbeddingBody,
  type EmbeddingFlag,
} from './embedding-request-body.ts';
import { toEmbeddingPart, type EmbeddingPart } from './embedding-part.ts';
import type { ErrorCode } from './error-code.ts';
import type { Fault } from './field-fault.ts';
import { valueAt } from './field-path.ts';
import { GatewayError } from './gateway-error.ts';
import { limits } from './limits.ts';
import { parseStrictBody, requireRecord } from './strict-body.ts';

/** What a host tolerates beyond the contract; off by default. */
export interface EmbeddingPolicy {
  /** Accepts and honours what compatible client libraries send [chat:compat:openai] [generate:compat:google]. */
  readonly compat: boolean;
}

/** A checked embedding request: texts, of which each becomes a vector, or content, of which all becomes one. */
export interface EmbeddingRequest extends Readonly<
  Pick<EmbeddingBody, 'model' | 'dimensions' | 'task_type' | 'title' | 'encoding_format' | 'user'>
> {
  readonly input:
    | { readonly kind: 'texts'; readonly texts: readonly string[] }
    | {
        readonly kind: 'content';
        readonly parts: readonly EmbeddingPart[];
        readonly flags: readonly EmbeddingFlag[];
      };
}

const invalid = (detail: string): GatewayError => new GatewayError('invalid_request', { detail });

/** Counted before the entries are looked at, so that a very long list costs one fault and not one per entry. */
const checkLengths = (body: unknown): void => {
  const input = valueAt(body, ['input']);
  const { textsMax } = limits.embedding;
  if (Array.isArray(input) && input.length > textsMax)
    throw invalid(`The field input must hold at most ${textsMax} texts.`);
  const parts = valueAt(body, ['content', 'parts']);
  if (Array.isArray(parts) && parts.length > embeddingPartsMax)
    throw invalid(`The field content.parts must hold at most ${embeddingPartsMax} parts.`);
};

const codeOf = (fault: Fault, body: unknown): ErrorCode => {
  if (fault.kind === 'unknown_field') return 'unsupported_parameter';
  if (fault.path[0] === 'content') return 'unsupported_content';
  return fault.path[0] === 'input' && valueAt(body, fault.path) === '' ? 'empty_message' : 'invalid_request';
};

const parseBody = (body: unknown, policy: EmbeddingPolicy): EmbeddingBody => {
  checkLengths(requireRecord(body));
  const schema = policy.compat ? CompatEmbeddingBody : EmbeddingRequestBody;
  return parseStrictBody<EmbeddingBody>(schema, body, (fault) => codeOf(fault, body));
};

/** A flag may stand inside the content or beside it, and not in both places. */
const flagsOf = (body: EmbeddingBody): readonly EmbeddingFlag[] =>
  embeddingFlags.filter((flag) => {
    const inside = body.content?.[flag];
    const beside = body[flag];
    if (beside !== undefined && body.content === undefined) throw invalid(`The field ${flag} needs content.`);
    if (inside !== undefined && beside !== undefined) throw invalid(`The field ${flag} is given twice.`);
    return inside ?? beside ?? false;
  });

const inputOf = (body: EmbeddingBody): EmbeddingRequest['input'] => {
  const { input, content } = body;
  const flags = flagsOf(body);
  if (input !== undefined && content === undefined)
    return { kind: 'texts', texts: typeof input === 'string' ? [input] : input };
  if (content !== undefined && input === undefined) {
    const parts = content.parts.map((part, index) => toEmbeddingPart(part, `content.parts[${index}]`));
    return { kind: 'content', parts, flags };
  }
  throw invalid('Exactly one of the fields input and content must be sent.');
};

/** Reads the parsed JSON body of POST /embeddings. Throws nothing but a `GatewayError` whose message names the field. */
export const parseEmbeddingRequest = (value: unknown, policy: EmbeddingPolicy): EmbeddingRequest => {
  const body = parseBody(value, policy);
  if (body.title !== undefined && body.task_type !== 'RETRIEVAL_DOCUMENT')
    throw invalid('The field title needs task_type to be RETRIEVAL_DOCUMENT.');
  const { input: _input, content: _content, document_ocr: _ocr, audio_track_extraction: _audio, ...fields } = body;
  return { ...fields, input: inputOf(body) };
};
