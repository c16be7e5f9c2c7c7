import { defaultCatalog } from '@tollgate/contract';
import { acceptedWords } from '@tollgate/contract/configuration';
import type { Administration, KeyChange, KeyInfo } from '@tollgate/engine';
import {
  exitCodes,
  printJson,
  requireOption,
  textOption,
  UsageError,
  type AdminCommand,
  type CommandInput,
} from './command.ts';
import { idAfter } from './list-pages.ts';
import { printFound, runActions } from './run-actions.ts';

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
  else for (const key of keys) input.world.print(keyLine(key));
  return exitCodes.done;
};

const keyLine = ({ id, status, model, name }: KeyInfo): string => `${id}  ${status}  ${model ?? 'automatic'}  ${name}`;

const changing =
  (changeOf: (input: CommandInput) => KeyChange, lineOf: (key: KeyInfo) => string = keyLine): AdminCommand =>
  async (admin, input) => {
    const id = idAfter(input, 'key', 'key');
    const change = changeOf(input);
    return printFound(input, await admin.changeKey(id, change), { lineOf, missing: 'there is no such key' });
  };

const switching = (status: KeyInfo['status']): AdminCommand => changing(() => ({ status }));

export const keyCommand: AdminCommand = (admin, input) => {
  if (input.words.length === 0) throw new UsageError(`which action? accepted are ${Object.keys(actions).join(', ')}`);
  return runActions(actions)(admin, input);
};

const actions: Readonly<Record<string, AdminCommand>> = {
  create: createKey,
  list: listKeys,
  rename: changing((input) => ({ name: requireOption(input, 'name') })),
  disable: switching('inactive'),
  enable: switching('active'),
  revoke: changing(
    () => ({ status: 'revoked' }),
    ({ id }) => `revoked ${id}`,
  ),
};
