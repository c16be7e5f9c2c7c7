import {
  CompatEmbeddingBody,
  EmbeddingRequestBody,
  embeddingFlags,
  embeddingPartsMax,
  type EmbeddingBody,
  type EmbeddingFlag,
} from './embedding-request-body.ts';
import { toEmbeddingPart, type EmbeddingPart } from './embedding-part.ts';
import type { ErrorCode } from '../http/error-code.ts';
import type { Fault } from '../fields/field-fault.ts';
import { valueAt } from '../fields/field-path.ts';
import { GatewayError } from '../http/gateway-error.ts';
import { limits } from '../limits.ts';
import { listError, refusedValue } from '../fields/refused-value.ts';
import { parseStrictBody, requireRecord } from '../http/strict-body.ts';

/** What a host tolerates beyond the contract; off by default. */
export interface EmbeddingPolicy {
  // chat:compat:openai, generate:compat:google
  /** Accepts and honours what compatible client libraries send. */
  readonly compat: boolean;
  /** Texts of one request at the most; heeded with `compat` only (default 100). */
  readonly textsMax?: number;
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

/** Counted before the entries are checked, so that a very long list costs one fault and not one per entry. */
const checkLengths = (body: unknown, { compat, textsMax: raised }: EmbeddingPolicy): void => {
  const input = valueAt(body, ['input']);
  const textsMax = compat && raised !== undefined ? raised : limits.embedding.textsMax;
  if (Array.isArray(input) && input.length > textsMax)
    throw refusedValue('invalid_request', {
      path: ['input'],
      value: input,
      accepted: `is text, or a list of 1 to ${textsMax} texts`,
    });
  const parts = valueAt(body, ['content', 'parts']);
  if (Array.isArray(parts) && parts.length > embeddingPartsMax)
    throw listError(['content', 'parts'], parts, [1, embeddingPartsMax]);
};

const codeOf = (fault: Fault, body: unknown): ErrorCode => {
  if (fault.kind === 'unknown_field') return 'unsupported_parameter';
  if (fault.path[0] === 'content') return 'unsupported_content';
  return fault.path[0] === 'input' && valueAt(body, fault.path) === '' ? 'empty_message' : 'invalid_request';
};

const parseBody = (body: unknown, policy: EmbeddingPolicy): EmbeddingBody => {
  checkLengths(requireRecord(body), policy);
  const schema = policy.compat ? CompatEmbeddingBody : EmbeddingRequestBody;
  return parseStrictBody<EmbeddingBody>(schema, body, (fault) => codeOf(fault, body));
};

/** A flag may stand inside the content or beside it, and not in both places. */
const flagsOf = (body: EmbeddingBody): readonly EmbeddingFlag[] =>
  embeddingFlags.filter((flag) => {
    const inside = body.content?.[flag];
    const beside = body[flag];
    if (beside !== undefined && body.content === undefined)
      throw invalid(`The field ${flag} stands alone; accepted is one beside or inside content.`);
    if (inside !== undefined && beside !== undefined)
      throw invalid(`The field ${flag} is given twice; accepted is one beside content, or one inside it.`);
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
  throw invalid(
    `The fields input and content are ${input === undefined ? 'both missing' : 'both there'}; accepted is one of the two.`,
  );
};

/** Reads the parsed JSON body of POST /embeddings. Throws nothing but a `GatewayError` whose message names the field. */
export const parseEmbeddingRequest = (value: unknown, policy: EmbeddingPolicy): EmbeddingRequest => {
  const body = parseBody(value, policy);
  if (body.title !== undefined && body.task_type !== 'RETRIEVAL_DOCUMENT')
    throw invalid(
      `The field title stands beside the task_type ${body.task_type ?? 'that is missing'}; accepted is one beside RETRIEVAL_DOCUMENT.`,
    );
  const { input: _input, content: _content, document_ocr: _ocr, audio_track_extraction: _audio, ...fields } = body;
  return { ...fields, input: inputOf(body) };
};
