import type { ProjectRecord } from '@tollgate/storage';
import { requireOption, textOption, UsageError, type AdminCommand, type CommandInput } from './command.ts';
import { limitsOption, withLimitsLine } from './limits-option.ts';
import { idAfter, listPages, wordOption } from './list-pages.ts';
import { cells, printFound, printRecords, runActions, timeText } from './run-actions.ts';

const lineOf = ({ id, status, accountId, createdAtMs, name }: ProjectRecord): string =>
  cells(id, status.padEnd(7), `account ${accountId}`, timeText(createdAtMs), name);

const shown = (project: ProjectRecord): string => withLimitsLine(lineOf(project), project.limits);

const missing = (id: string): string => `there is no project ${id}`;

const list: AdminCommand = async (admin, input) => {
  const [accountId, search] = [textOption(input, 'account'), textOption(input, 'search')];
  const projects = await listPages(input, (page) => admin.findProjects({ ...page, accountId, search }));
  return printRecords(input, projects, lineOf);
};

const create: AdminCommand = async (admin, input) => {
  const accountId = requireOption(input, 'account');
  const [name, id] = [requireOption(input, 'name'), textOption(input, 'id')];
  const project = { accountId, name, id, limits: limitsOption(input) };
  const refused = `there is no account ${accountId}, or it is closed`;
  return printFound(input, await admin.createProject(project), { lineOf: shown, missing: refused });
};

/** What is changed; nothing would be a slip. */
const changeOf = (input: CommandInput) => {
  const name = textOption(input, 'name');
  const status = wordOption(input, 'status', ['active', 'paused', 'blocked']);
  const limits = limitsOption(input);
  if (name === undefined && status === undefined && limits === undefined)
    throw new UsageError('--name, --status or limits are needed');
  return { name, status, limits };
};

const change: AdminCommand = async (admin, input) => {
  const id = idAfter(input, 'projects', 'project');
  const changed = await admin.changeProject(id, changeOf(input));
  return printFound(input, changed, { lineOf: shown, missing: missing(id) });
};

const close: AdminCommand = async (admin, input) => {
  const id = idAfter(input, 'projects', 'project');
  return printFound(input, await admin.closeProject(id), { lineOf, missing: missing(id) });
};

export const projectsCommand: AdminCommand = runActions({ list, create, change, close });
