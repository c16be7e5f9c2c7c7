import { NotExecuted, type CallContext, type Generation, type GenerationCall, type Provider } from '@tollgate/provider';

// #region provider
interface EchoAnswer {
  readonly text: string;
  readonly tokensIn: number;
  readonly tokensOut: number;
}

/** What an imagined upstream takes and gives. */
export type EchoUpstream = (prompt: string, signal: AbortSignal) => Promise<{ status: number; answer: EchoAnswer }>;

const promptOf = (call: GenerationCall): string =>
  call.contents
    .flatMap((content) => content.parts)
    .map((part) => (part.kind === 'text' ? part.text : ''))
    .join('\n');

const generate = async (
  upstream: EchoUpstream,
  call: GenerationCall,
  { signal, recordAttempt }: CallContext,
): Promise<Generation> => {
  if (signal.aborted) throw new NotExecuted({ reason: 'cancelled' });
  const startedAtMs = Date.now();
  const record = (status: number | null, outcome: 'answered' | 'refused' | 'unknown'): void =>
    recordAttempt({ startedAtMs, durationMs: Date.now() - startedAtMs, status, outcome });
  const sent = await upstream(promptOf(call), signal).catch((cause: unknown) => {
    // It may have run, so this is no `NotExecuted`: the operation becomes uncertain.
    record(null, 'unknown');
    throw new Error('the upstream was lost', { cause });
  });
  record(sent.status, sent.status === 200 ? 'answered' : 'refused');
  // This upstream promises that anything but 200 did not run and is not billed.
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
