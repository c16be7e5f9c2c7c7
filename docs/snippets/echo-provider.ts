import { NotExecuted, type CallContext, type Generation, type GenerationCall, type Provider } from '@tollgate/provider';

// #region provider
interface EchoAnswer {
  readonly text: string;
  readonly tokensIn: number;
  readonly tokensOut: number;
}

/** The interface of an imagined upstream: it takes a text and returns a text, and supports nothing else. */
export type EchoUpstream = (
  prompt: string,
  settings: { readonly tokensMax: number; readonly temperature: number | null; readonly signal: AbortSignal },
) => Promise<{ status: number; answer: EchoAnswer }>;

/** The fields that it sends, or checks before it refuses. */
const known = new Set([
  'operationId',
  'upstreamModel',
  'systemInstruction',
  'contents',
  'tools',
  'toolChoice',
  'responseFormat',
  'sampling',
  'outputTokensMax',
  'endUser',
]);

/** Any other field is refused before it is sent: a silently dropped field is a wrong response that was paid for. */
const promptOf = (call: GenerationCall): string => {
  const parts = call.contents.flatMap((content) => content.parts);
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  const isKnown =
    Object.keys(call).every((field) => known.has(field)) &&
    Object.keys(call.sampling).every((setting) => setting === 'temperature') &&
    texts.length === parts.length &&
    call.tools.length === 0 &&
    call.responseFormat.kind === 'text';
  if (!isKnown) throw new NotExecuted({ reason: 'invalid_request' });
  return [...(call.systemInstruction === null ? [] : [call.systemInstruction]), ...texts].join('\n');
};

const generate = async (
  upstream: EchoUpstream,
  call: GenerationCall,
  { signal, recordAttempt }: CallContext,
): Promise<Generation> => {
  if (signal.aborted) throw new NotExecuted({ reason: 'cancelled' });
  const prompt = promptOf(call);
  const { outputTokensMax: tokensMax, sampling } = call;
  const startedAtMs = Date.now();
  const record = (status: number | null, outcome: 'answered' | 'refused' | 'unknown'): void =>
    recordAttempt({ startedAtMs, durationMs: Date.now() - startedAtMs, status, outcome });
  const settings = { tokensMax, temperature: sampling.temperature ?? null, signal };
  const sent = await upstream(prompt, settings).catch((cause: unknown) => {
    // It may have run, so this is not a `NotExecuted`: the operation becomes uncertain.
    record(null, 'unknown');
    throw new Error('the upstream was lost', { cause });
  });
  record(sent.status, sent.status === 200 ? 'answered' : 'refused');
  // This upstream guarantees that a request with any status except 200 did not run and is not billed.
  if (sent.status !== 200) throw new NotExecuted({ reason: 'unavailable' });
  const { text, tokensIn, tokensOut } = sent.answer;
  return {
    text,
    functionCalls: [],
    finish: 'stop',
    usage: [
      { unit: 'input_text_tokens', quantity: tokensIn, confirmed: true },
      { unit: 'output_text_tokens', quantity: tokensOut, confirmed: true },
    ],
  };
};

export const echoProvider = (upstream: EchoUpstream): Provider => ({
  name: 'echo',
  generate: (call, context) => generate(upstream, call, context),
});
// #endregion provider
