import { NotExecuted } from '@tollgate/provider';
import { contextOf } from '../../ledger/estimate.ts';
import { priceEstimate, raisedHold, type Estimate } from '../../ledger/hold.ts';
import { textTokens } from '../../ledger/media-bounds.ts';
import type { ModelTariff } from '../../ledger/model-prices.ts';
import { holdPricesOf } from '../../ledger/operation-prices.ts';
import { microsUp } from '../../ledger/price-usage.ts';
import type { InteractionTurn } from './interaction-turn.ts';
import type { DeclaredFunction } from './interaction-work.ts';
import { fromStoredEstimate } from './stored-estimate.ts';

/** The text of the functions that tools declare is input of each model round that is reserved for. */
const declaredInput = ({ options, model }: InteractionTurn, declared: readonly DeclaredFunction[]): Estimate => {
  const tokens = Math.min(textTokens(JSON.stringify(declared)), contextOf(model.row) ?? Infinity);
  return [{ unit: 'input_text_tokens', quantity: tokens * options.limits.modelRoundsHeld }];
};

/** Of an interaction that keeps no estimate of its opening: what the text costs by itself, beside what was held. */
const besideHold = (tariff: ModelTariff, more: Estimate, openedMicros: bigint): bigint | null => {
  const price = priceEstimate(tariff, more);
  const added = price.kind === 'picos' ? microsUp(price.picos) : null;
  return added === null ? null : openedMicros + added;
};

/** The whole hold of an interaction with the functions that its tools declare; null where nothing can be reserved for them. */
const holdWith = (
  turn: InteractionTurn,
  declared: readonly DeclaredFunction[],
  openedMicros: bigint,
): bigint | null => {
  const tariff = holdPricesOf(turn.options.engine, turn.work.operation);
  const { held = null } = turn.order;
  const more = declaredInput(turn, declared);
  if (held !== null) return raisedHold(tariff, fromStoredEstimate(held), more);
  return tariff === null ? null : besideHold(tariff, more, openedMicros);
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
  const holdMicros = holdWith(turn, declared, openedMicros);
  if (holdMicros === null) return null;
  const { id: operationId, accountId, spends } = turn.work.operation;
  try {
    const command = { operationId, accountId, spends, holdMicros };
    const extended = await turn.options.engine.operationLedger.extend(command);
    // One that is being cancelled ends before its first model round.
    if (extended.kind === 'ended') return turn;
    return extended.kind === 'insufficient' ? null : { ...turn, work: { ...turn.work, operation: extended.operation } };
  } catch (cause) {
    throw new NotExecuted({ reason: 'unavailable', cause });
  }
};
