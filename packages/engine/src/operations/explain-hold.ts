import type { AccessIds } from '../decisions/access.ts';
import type { OpenAnswer } from '../decisions/open.ts';
import type { Engine } from '../engine.ts';
import type { Hold } from '../ledger/hold.ts';
import { creditsFromMicros } from '../ledger/micros.ts';

/** The amount of a hold; null where nothing can be reserved. */
export const amountOf = (hold: Hold): bigint | null => (hold.kind === 'amount' ? hold.micros : null);

const detailOf = (model: string, hold: Exclude<Hold, { readonly kind: 'amount' }>): string => {
  switch (hold.kind) {
    case 'no_tariff':
      return `The price list has no prices for the model ${model}.`;
    case 'unpriced':
      return `The price list has no price for the unit ${hold.unit} of the model ${model}.`;
    case 'unbounded':
      return `The unit ${hold.unit} has a price, and nothing bounds how much of it a call of the model ${model} uses.`;
    case 'beyond_amounts':
      return `The estimate of this call of the model ${model} is beyond every amount.`;
  }
};

/** In credits of at most six decimals. A host's ledger says only that it is too little. */
const shortageOf = (
  { host }: Pick<Engine, 'host'>,
  neededMicros: bigint,
  { availableMicros }: Extract<OpenAnswer, { readonly kind: 'insufficient' }>,
): string => {
  const needs = `This request needs ${creditsFromMicros(neededMicros)} credits`;
  return host.ledger === null
    ? `${needs}, and ${creditsFromMicros(availableMicros)} are available; reservations count as used.`
    : `${needs}, and the available balance does not cover them; reservations count as used.`;
};

/** What an opening answers, with the reason where nothing could be reserved; what the host alone can mend is logged. */
export const explainHold = (
  engine: Pick<Engine, 'logger' | 'host'>,
  { model, access }: { readonly model: string; readonly access: AccessIds },
  hold: Hold,
  answer: OpenAnswer,
): OpenAnswer => {
  if (hold.kind === 'amount' && answer.kind === 'insufficient')
    return { ...answer, detail: shortageOf(engine, hold.micros, answer) };
  if (hold.kind === 'amount' || answer.kind !== 'refused' || answer.code !== 'access_or_service_unavailable')
    return answer;
  const unit = 'unit' in hold ? { unit: hold.unit } : {};
  engine.logger.warn('nothing can be reserved for a call', {
    requestId: access.requestId,
    code: `hold_${hold.kind}`,
    model,
    ...unit,
  });
  return { ...answer, detail: detailOf(model, hold) };
};
