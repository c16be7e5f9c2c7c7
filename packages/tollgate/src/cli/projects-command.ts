import type { ProjectRecord } from '@tollgate/storage';
import { requireOption, textOption, UsageError, type AdminCommand } from './command.ts';
import { idAfter, listPages, wordOption } from './list-pages.ts';
import { cells, printFound, printRecords, runActions, timeText } from './run-actions.ts';

const lineOf = ({ id, status, accountId, createdAtMs, name }: ProjectRecord): string =>
  cells(id, status.padEnd(7), `account ${accountId}`, timeText(createdAtMs), name);

const missing = (id: string): string => `there is no project ${id}`;

const list: AdminCommand = async (admin, input) => {
  const [accountId, search] = [textOption(input, 'account'), textOption(input, 'search')];
  const projects = await listPages(input, (page) => admin.findProjects({ ...page, accountId, search }));
  return printRecords(input, projects, lineOf);
};

const create: AdminCommand = async (admin, input) => {
  const accountId = requireOption(input, 'account');
  const project = { accountId, name: requireOption(input, 'name'), id: textOption(input, 'id') };
  const refused = `there is no account ${accountId}, or it is closed`;
  return printFound(input, await admin.createProject(project), { lineOf, missing: refused });
};

const change: AdminCommand = async (admin, input) => {
  const id = idAfter(input, 'projects', 'project');
  const name = textOption(input, 'name');
  const status = wordOption(input, 'status', ['active', 'paused', 'blocked']);
  if (name === undefined && status === undefined) throw new UsageError('--name or --status is needed');
  return printFound(input, await admin.changeProject(id, { name, status }), { lineOf, missing: missing(id) });
};

const close: AdminCommand = async (admin, input) => {
  const id = idAfter(input, 'projects', 'project');
  return printFound(input, await admin.closeProject(id), { lineOf, missing: missing(id) });
};

export const projectsCommand: AdminCommand = runActions({ list, create, change, close });
