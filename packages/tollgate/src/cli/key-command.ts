import { defaultCatalog } from '@tollgate/contract';
import type { Administration } from '@tollgate/engine';
import {
  exitCodes,
  printJson,
  requireOption,
  textOption,
  UsageError,
  type AdminCommand,
  type CommandInput,
} from './command.ts';

/** The project asked for, or a new one, in the account asked for, or a new one. */
const projectFor = async (admin: Administration, input: CommandInput): Promise<string | null> => {
  const project = textOption(input, 'project');
  if (project !== undefined) return project;
  const accountId = textOption(input, 'account') ?? (await admin.createAccount({ name: 'command line' })).id;
  const created = await admin.createProject({ accountId, name: textOption(input, 'name') ?? 'command line' });
  return created?.id ?? null;
};

/** A host may have a catalog of its own, so that it may well be right. */
const noteUnknown = ({ world }: CommandInput, model: string | null): void => {
  if (model !== null && !defaultCatalog.some(({ id }) => id === model))
    world.complain(`note: ${model} is no model of the default catalog`);
};

const createKey = async (admin: Administration, input: CommandInput): Promise<number> => {
  const projectId = await projectFor(admin, input);
  const name = textOption(input, 'name');
  const created =
    projectId === null
      ? null
      : await admin.createKey({
          projectId,
          model: textOption(input, 'model') ?? null,
          ...(name === undefined ? {} : { name }),
        });
  if (created === null) {
    input.world.complain('there is no such project or account');
    return exitCodes.refused;
  }
  noteUnknown(input, created.model);
  if (input.options['json'] === true) printJson(input.world, created);
  else {
    const { print } = input.world;
    print(`key      ${created.key}`);
    print(`key id   ${created.id}`);
    print(`project  ${created.projectId}`);
    print(`account  ${created.accountId}`);
    print(`model    ${created.model ?? 'automatic'}`);
    print('The key is shown this once.');
  }
  return exitCodes.done;
};

const listKeys = async (admin: Administration, input: CommandInput): Promise<number> => {
  const keys = await admin.listKeys(requireOption(input, 'project'));
  if (input.options['json'] === true) printJson(input.world, keys);
  else for (const key of keys) input.world.print(`${key.id}  ${key.status}  ${key.model ?? 'automatic'}  ${key.name}`);
  return exitCodes.done;
};

const revokeKey = async (admin: Administration, input: CommandInput): Promise<number> => {
  const id = input.words[1];
  if (id === undefined) throw new UsageError('which key? tollgate key revoke KEY_ID');
  const revoked = await admin.setKeyStatus(id, 'revoked');
  if (revoked === null) {
    input.world.complain('there is no such key');
    return exitCodes.refused;
  }
  input.world.print(`revoked ${revoked.id}`);
  return exitCodes.done;
};

const actions: Readonly<Record<string, AdminCommand>> = { create: createKey, list: listKeys, revoke: revokeKey };

export const keyCommand: AdminCommand = (admin, input) => {
  const action = actions[input.words[0] ?? ''];
  if (action === undefined) throw new UsageError('create, list or revoke?');
  return action(admin, input);
};
