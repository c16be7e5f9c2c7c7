import { contextSecretCheck } from '../context-secrets.ts';
import { UsageError, type CommandInput } from './command.ts';

const secretVariable = 'TOLLGATE_CONTEXT_SECRET';

/** Of the environment alone: a command line can be read by every user of the machine. */
export const contextSecretOf = ({
  world,
}: Pick<CommandInput, 'world'>): { readonly contextSecret?: readonly string[] } => {
  const text = world.environment[secretVariable] ?? '';
  if (text === '') return {};
  const contextSecret = text.split(',');
  const [fault] = contextSecretCheck.faultsOf(contextSecret, secretVariable);
  if (fault !== undefined) throw new UsageError(fault.message);
  return { contextSecret };
};
