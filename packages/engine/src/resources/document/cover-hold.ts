import type { OperationRecord } from '@tollgate/storage';
import type { Engine } from '../../engine.ts';
import { estimateEmbedding } from '../../ledger/estimate-embedding.ts';
import { holdOf } from '../../ledger/hold.ts';
import { pricesOf } from '../../ledger/operation-prices.ts';
import { LostWork } from '../../workers/work-kind.ts';
import type { TextChunk } from './chunk-pages.ts';
import { toIndexEstimate } from './index-usage.ts';

/**
 * Raises the hold of a document to what its text costs to embed, now that it has been read: a PDF may have more text than its size
 * lets one think. Returns whether it is covered; throws `LostWork` where the document is decided.
 */
export const coverHold = async (
  engine: Engine,
  operation: OperationRecord,
  chunks: readonly TextChunk[],
): Promise<boolean> => {
  const tariff = pricesOf(engine, operation);
  const call = { upstreamModel: '', input: { kind: 'texts', texts: chunks.map(({ text }) => text) } } as const;
  const holdMicros = tariff === null ? null : holdOf(tariff, toIndexEstimate(estimateEmbedding(call, tariff)));
  if (holdMicros === null || holdMicros <= operation.holdMicros) return holdMicros !== null;
  const { id: operationId, accountId, spends } = operation;
  const extended = await engine.operationLedger.extend({ operationId, accountId, spends, holdMicros });
  if (extended.kind === 'ended') throw new LostWork('the document was decided meanwhile');
  return extended.kind === 'extended';
};
