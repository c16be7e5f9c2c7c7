import { NotExecuted } from '@tollgate/provider';
import { contextOf } from '../../ledger/estimate.ts';
import { priceEstimate } from '../../ledger/hold.ts';
import { textTokens } from '../../ledger/media-bounds.ts';
import { pricesOf } from '../../ledger/operation-prices.ts';
import { microsUp } from '../../ledger/price-usage.ts';
import type { InteractionTurn } from './interaction-turn.ts';
import type { DeclaredFunction } from './interaction-work.ts';

/** What the functions that tools declare add to the hold: their text is input of each model round that is reserved for. */
const addedMicros = (
  { options, work, model }: InteractionTurn,
  declared: readonly DeclaredFunction[],
): bigint | null => {
  const { engine, limits } = options;
  const tariff = pricesOf(engine, work.operation);
  const tokens = Math.min(textTokens(JSON.stringify(declared)), contextOf(model.row) ?? Infinity);
  const estimate = [{ unit: 'input_text_tokens', quantity: tokens * limits.modelRoundsHeld }] as const;
  const price = tariff === null ? null : priceEstimate(tariff, estimate);
  return price?.kind === 'picos' ? microsUp(price.picos) : null;
};

/**
 * Raises the hold from what it was when the interaction was opened to what it is with the declared functions, which
 * were not known at that time. Returns the turn with the hold that it then has, or null where the balance does not allow it. Throws
 * `NotExecuted` where the storage does not confirm either: nothing has been handed to a provider yet.
 */
export const coverDeclared = async (
  turn: InteractionTurn,
  declared: readonly DeclaredFunction[],
  openedMicros: bigint,
): Promise<InteractionTurn | null> => {
  if (declared.length === 0) return turn;
  const added = addedMicros(turn, declared);
  if (added === null) return null;
  const { id: operationId, accountId, spends } = turn.work.operation;
  try {
    const command = { operationId, accountId, spends, holdMicros: openedMicros + added };
    const extended = await turn.options.engine.operationLedger.extend(command);
    // One that is being cancelled ends before its first model round.
    if (extended.kind === 'ended') return turn;
    return extended.kind === 'insufficient' ? null : { ...turn, work: { ...turn.work, operation: extended.operation } };
  } catch (cause) {
    throw new NotExecuted({ reason: 'unavailable', cause });
  }
};
