import { databaseMissingCode } from '@tollgate/storage';
import { exitCodes, printJson, type CommandInput } from './command.ts';
import { openStorage, placeOf } from './open-storage.ts';

/** Whether an error says that there is no gateway where it was looked for. */
export const isDatabaseMissing = (cause: unknown): cause is Error =>
  cause instanceof Error && 'code' in cause && cause.code === databaseMissingCode;

const isThere = async (input: CommandInput): Promise<boolean> => {
  try {
    await (await openStorage(input, { create: false })).close();
    return true;
  } catch (cause) {
    if (isDatabaseMissing(cause)) return false;
    throw cause;
  }
};

/** Makes the database of a gateway where there is none; one that is there stays as it is, but for its schema. */
export const initCommand = async (input: CommandInput): Promise<number> => {
  const created = !(await isThere(input));
  if (created) await (await openStorage(input, { create: true })).close();
  if (input.options['json'] === true) printJson(input.world, { created });
  else input.world.print(`${created ? 'created' : 'there already'}: ${placeOf(input)}`);
  return exitCodes.done;
};
