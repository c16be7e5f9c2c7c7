import { GatewayError } from '@tollgate/contract';
import {
  isNotExecuted,
  type CallContext,
  type Generation,
  type GenerationCall,
  type OnCallPiece,
  type OnParts,
  type Provider,
} from '@tollgate/provider';
import {
  createCallOrder,
  finishOrder,
  takeCallPiece,
  takeOrderedParts,
  unfinishedCalls,
  type StreamSink,
} from './call-order.ts';
import { addParts, createGenerationAssembly, finishAssembly, partsSoFar } from './generation-assembly.ts';

/** Characters of an answer that is put together from pieces: far more than any model writes, and what one answer may hold in memory. */
const answerCharsMax = 67_108_864;

const noSink: StreamSink = { onParts: () => {} };

/**
 * Has a provider generate, piece by piece where a client waits for pieces and the provider streams. A provider without
 * the one way is asked the other.
 */
export const runGeneration = async (
  provider: Provider,
  call: GenerationCall,
  context: CallContext,
  sink: StreamSink | null,
): Promise<Generation> => {
  if (provider.generate !== undefined && (sink === null || provider.generateStream === undefined))
    return provider.generate(call, context);
  if (provider.generateStream === undefined) throw new GatewayError('service_unavailable');
  const assembly = createGenerationAssembly(answerCharsMax);
  const order = createCallOrder(sink ?? noSink, (parts) => addParts(assembly, parts), answerCharsMax);
  sink?.onStart?.(() => [...partsSoFar(assembly), ...unfinishedCalls(order)]);
  let hasBegun = false;
  const take: OnParts = (parts) => {
    hasBegun = true;
    takeOrderedParts(order, parts);
  };
  const takePiece: OnCallPiece = (piece) => {
    hasBegun = true;
    takeCallPiece(order, piece);
  };
  // Where no one reads calls as they are written, a provider need not report them.
  const onCallPiece = sink?.onCallStep === undefined ? undefined : takePiece;
  try {
    const end = await provider.generateStream(call, context, take, onCallPiece);
    finishOrder(order, end.finish);
    return finishAssembly(assembly, end);
  } catch (cause) {
    // A provider that has delivered a piece has run it, whatever it reports afterwards: the hold must not be freed.
    throw hasBegun && isNotExecuted(cause)
      ? new Error('an answer that had begun was called not executed', { cause })
      : cause;
  }
};
