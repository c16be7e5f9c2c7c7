import {
  creditsFromMicros,
  type Administration,
  type KeyChange,
  type KeyInfo,
  type KeyInput,
  type ReferredKey,
} from '@tollgate/engine';
import { requireModel } from './catalog-model.ts';
import {
  exitCodes,
  printJson,
  requireOption,
  textOption,
  UsageError,
  type AdminCommand,
  type CommandInput,
  type CommandWorld,
} from './command.ts';
import { keyTermsOf } from './key-terms-option.ts';
import { idAfter, listPages } from './list-pages.ts';
import { printFound, printRecords, runActions } from './run-actions.ts';

/** The project asked for, or a new one, in the account asked for, or a new one. */
const projectFor = async (admin: Administration, input: CommandInput): Promise<string | null> => {
  const project = textOption(input, 'project');
  if (project !== undefined) return project;
  const accountId = textOption(input, 'account') ?? (await admin.createAccount({ name: 'command line' })).id;
  const created = await admin.createProject({ accountId, name: textOption(input, 'name') ?? 'command line' });
  return created?.id ?? null;
};

const modelOf = (input: CommandInput): string | null => {
  const model = textOption(input, 'model') ?? null;
  if (model !== null) requireModel(input, model);
  return model;
};

const printKey = ({ print }: CommandWorld, key: ReferredKey): void => {
  if (key.key !== null) print(`key      ${key.key}`);
  print(`key id   ${key.id}`);
  print(`project  ${key.projectId}`);
  print(`account  ${key.accountId}`);
  print(`model    ${key.model ?? 'automatic'}`);
  for (const line of termLines(key)) print(line);
  print(
    key.key === null
      ? 'The key of this reference was there before, and is not shown again.'
      : 'The key is shown this once.',
  );
};

const makeKey = (admin: Administration, key: KeyInput, reference: string | undefined): Promise<ReferredKey | null> =>
  reference === undefined ? admin.createKey(key) : admin.createKeyOnce({ ...key, reference });

const createKey = async (admin: Administration, input: CommandInput): Promise<number> => {
  const [model, terms] = [modelOf(input), keyTermsOf(input)];
  const reference = textOption(input, 'reference');
  // A reference is of a project: with another project each time it would never be the same.
  if (reference !== undefined) requireOption(input, 'project');
  const projectId = await projectFor(admin, input);
  const key = { ...terms, model, name: textOption(input, 'name') };
  const created = projectId === null ? null : await makeKey(admin, { ...key, projectId }, reference);
  if (created === null) {
    input.world.complain('there is no such project or account, or it is closed');
    return exitCodes.refused;
  }
  if (input.options['json'] === true) printJson(input.world, created);
  else printKey(input.world, created);
  return exitCodes.done;
};

const listKeys = async (admin: Administration, input: CommandInput): Promise<number> => {
  const projectId = requireOption(input, 'project');
  if ((await admin.readProjectQuotas(projectId)) === null) {
    input.world.complain(`there is no project ${projectId}`);
    return exitCodes.refused;
  }
  const query = { projectId, search: textOption(input, 'search'), reference: textOption(input, 'reference') };
  return printRecords(input, await listPages(input, (page) => admin.findKeys({ ...page, ...query })), keyLine);
};

const keyLine = ({ id, status, model, name }: KeyInfo): string => `${id}  ${status}  ${model ?? 'automatic'}  ${name}`;

const capText = ({ amountMicros, window, timeZone }: NonNullable<KeyInfo['cap']>): string =>
  `${creditsFromMicros(amountMicros)} credits a ${window}, ${timeZone}`;

/** What bounds a key, a line for each bound that it has. */
const termLines = ({ expiresAtMs, models, cap, limits, metadata }: KeyInfo): readonly string[] => {
  const lines = [
    ['expires', expiresAtMs === null ? null : new Date(expiresAtMs).toISOString()],
    ['models', models === null ? null : models.join(', ')],
    ['cap', cap === null ? null : capText(cap)],
    ['limits', limits === null ? null : JSON.stringify(limits)],
    ['texts', metadata === null ? null : JSON.stringify(metadata)],
  ] as const;
  return lines.flatMap(([name, text]) => (text === null ? [] : [`${name.padEnd(8)} ${text}`]));
};

const shownKey = (key: KeyInfo): string => [keyLine(key), ...termLines(key).map((line) => `  ${line}`)].join('\n');

/** What is changed; nothing would be a slip. */
const changeOf = (input: CommandInput): KeyChange => {
  const change = { ...keyTermsOf(input), name: textOption(input, 'name') };
  if (Object.values(change).every((value) => value === undefined))
    throw new UsageError('what is to be changed? accepted are --name, --expires, --models, --cap, --limits and others');
  return change;
};

const changing =
  (readChange: (input: CommandInput) => KeyChange, lineOf: (key: KeyInfo) => string = keyLine): AdminCommand =>
  async (admin, input) => {
    const id = idAfter(input, 'key', 'key');
    const change = readChange(input);
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
  change: changing(changeOf, shownKey),
  show: async (admin, input) =>
    printFound(input, await admin.readKey(idAfter(input, 'key', 'key')), {
      lineOf: shownKey,
      missing: 'there is no such key',
    }),
  rename: changing((input) => ({ name: requireOption(input, 'name') })),
  disable: switching('inactive'),
  enable: switching('active'),
  revoke: changing(
    () => ({ status: 'revoked' }),
    ({ id }) => `revoked ${id}`,
  ),
};
