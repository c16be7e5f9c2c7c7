import { GatewayError } from '@tollgate/contract';
import type { CallContext, Generation, GenerationCall, OnParts, Provider } from '@tollgate/provider';
import { createGenerationAssembly } from './generation-assembly.ts';

/** Characters of an answer that is put together from pieces: far more than any model writes, and what one answer may hold in memory. */
const answerCharsMax = 67_108_864;

/**
 * Has a provider generate, piece by piece where somebody waits for pieces and the provider hands them out. A provider without
 * the one way is asked the other.
 */
export const runGeneration = async (
  provider: Provider,
  call: GenerationCall,
  context: CallContext,
  onParts: OnParts | null,
): Promise<Generation> => {
  if (provider.generate !== undefined && (onParts === null || provider.generateStream === undefined))
    return provider.generate(call, context);
  if (provider.generateStream === undefined) throw new GatewayError('service_unavailable');
  const assembly = createGenerationAssembly(answerCharsMax);
  const end = await provider.generateStream(call, context, (parts) => {
    assembly.add(parts);
    onParts?.(parts);
  });
  return assembly.finish(end);
};
