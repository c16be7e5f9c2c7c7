import { creditsFromMicros, type Verdict } from '@tollgate/engine';
import { exitCodes, textOption, UsageError, type AdminCommand, type CommandInput } from './command.ts';
import { creditsOption } from './deposit-command.ts';

const verdictOf = (input: CommandInput): Verdict => {
  const failed = input.options['failed'] === true;
  const settle = input.options['settle'] === true;
  const charge = textOption(input, 'charge') !== undefined;
  if (Number(failed) + Number(settle) + Number(charge) !== 1)
    throw new UsageError('one of --failed, --charge CREDITS and --settle is needed');
  if (failed) return { executed: false };
  return charge ? { executed: true, amountMicros: creditsOption(input, 'charge') } : { executed: true };
};

export const resolveCommand: AdminCommand = async (admin, input) => {
  const [id] = input.words;
  if (id === undefined) throw new UsageError('which operation? tollgate resolve OPERATION_ID');
  const answer = await admin.resolveOperation(id, verdictOf(input));
  if (answer.kind === 'resolved') {
    const { state, chargedMicros } = answer.operation;
    input.world.print(`${id} is ${state}, charged ${creditsFromMicros(chargedMicros)}`);
    return exitCodes.done;
  }
  input.world.complain(`refused: ${answer.kind}`);
  return exitCodes.refused;
};
