import { creditsFromMicros, type ResolveAnswer } from '@tollgate/engine';
import { exitCodes, UsageError, type AdminCommand } from './command.ts';
import { verdictNote, verdictOption } from './verdict-options.ts';

const listed = (what: string, parts: readonly string[]): readonly string[] =>
  parts.length === 0 ? [] : [`${what} ${parts.join(', ')}`];

type Refusal = Exclude<ResolveAnswer, { readonly kind: 'resolved' | 'missing' }>;

/** What stopped a verdict, and what to do. */
const refusalSentences: Readonly<Record<Exclude<Refusal['kind'], 'parts_refused'>, string>> = {
  pending:
    'pending: the verdict is on record and waits for balance. A deposit to the account settles it; do not decide it again.',
  decided_otherwise:
    'refused: decided_otherwise. Another verdict was carried out before, and stays. Correct the account.',
  not_uncertain: 'refused: not_uncertain. The operation is not uncertain and needs no verdict.',
  amount_needed: 'refused: amount_needed. Nothing was measured: give --charge, --measured or --failed.',
  usage_needed: 'refused: usage_needed. No lower bound is known: give --charge, --measured or --failed.',
  price_missing:
    'refused: price_missing. The price list of the hold has no price for a unit, or is gone: give --charge instead.',
};

/** Why a verdict was not carried out. */
const refusalText = (answer: Refusal): string => {
  if (answer.kind !== 'parts_refused') return refusalSentences[answer.kind];
  const reasons = [
    ...listed('nothing is said of', answer.missing),
    ...listed('said twice:', answer.repeated),
    ...listed('not uncertain:', answer.notUnknown),
  ];
  return `refused: parts_refused (${reasons.length === 0 ? 'no part is uncertain' : reasons.join('; ')})`;
};

export const resolveCommand: AdminCommand = async (admin, input) => {
  const [id] = input.words;
  if (id === undefined) throw new UsageError('which operation? tollgate resolve OPERATION_ID');
  const answer = await admin.resolveOperation(id, verdictOption(input), verdictNote(input)).catch((cause: unknown) => {
    // What the administration takes for no verdict was not understood.
    throw cause instanceof RangeError ? new UsageError(cause.message) : cause;
  });
  if (answer.kind !== 'resolved') {
    input.world.complain(answer.kind === 'missing' ? `there is no operation ${id}` : refusalText(answer));
    return exitCodes.refused;
  }
  const { state, chargedMicros } = answer.operation;
  const before = answer.repeated ? ' (decided so before)' : '';
  input.world.print(`${id} is ${state}, charged ${creditsFromMicros(chargedMicros)}${before}`);
  return exitCodes.done;
};
