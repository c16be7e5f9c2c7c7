import { defaultCatalog } from '@tollgate/contract';
import { acceptedWords } from '@tollgate/contract/configuration';
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

/** A host may have a catalog of its own, which the command line does not know. */
const modelOf = (input: CommandInput): string | null => {
  const model = textOption(input, 'model') ?? null;
  const ids = defaultCatalog.map(({ id }) => id);
  if (model === null || input.options['own-catalog'] === true || ids.includes(model)) return model;
  throw new UsageError(
    `${model} is no model of the default catalog; accepted ${acceptedWords(model, ids)}. For a catalog of the host's own add --own-catalog.`,
  );
};

const createKey = async (admin: Administration, input: CommandInput): Promise<number> => {
  const model = modelOf(input);
  const projectId = await projectFor(admin, input);
  const name = textOption(input, 'name');
  const created =
    projectId === null
      ? null
      : await admin.createKey({
          projectId,
          model,
          ...(name === undefined ? {} : { name }),
        });
  if (created === null) {
    input.world.complain('there is no such project or account');
    return exitCodes.refused;
  }
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
  const projectId = requireOption(input, 'project');
  if ((await admin.readProjectQuotas(projectId)) === null) {
    input.world.complain(`there is no project ${projectId}`);
    return exitCodes.refused;
  }
  const keys = await admin.listKeys(projectId);
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
