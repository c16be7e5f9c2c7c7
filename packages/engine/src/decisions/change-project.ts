import type { LimitsRecord, Metadata, ProjectRecord } from '@tollgate/storage';
import type { Step } from './step.ts';

export interface ChangeProjectCommand {
  readonly projectId: string;
  readonly name?: string | undefined;
  /** In place of all that was kept; null for none. */
  readonly metadata?: Metadata | null | undefined;
  /** For a limiter, in place of all that there were; null for none. */
  readonly limits?: LimitsRecord | null | undefined;
  readonly status?: ProjectRecord['status'] | undefined;
}

/** Closing is final, as it is for accounts. */
const nextStatus = (project: ProjectRecord, asked: ProjectRecord['status'] | undefined): ProjectRecord['status'] =>
  project.status === 'closed' ? 'closed' : (asked ?? project.status);

/**
 * Renames a project, keeps texts with it, pauses, blocks, frees or closes it. A closed project opens no operation and has no new keys;
 * what it runs ends. Null where there is none.
 */
export const changeProjectStep = (command: ChangeProjectCommand): Step<ProjectRecord | null> => ({
  keys: [{ table: 'project', id: command.projectId }],
  decide: (records, nowMs) => {
    const project = records.get('project', command.projectId);
    if (project === undefined) return { writes: [], answer: null };
    const status = nextStatus(project, command.status);
    const record: ProjectRecord = {
      ...project,
      name: command.name ?? project.name,
      metadata: command.metadata === undefined ? project.metadata : command.metadata,
      limits: command.limits === undefined ? project.limits : command.limits,
      status,
      closedAtMs: status === 'closed' ? (project.closedAtMs ?? nowMs) : null,
    };
    return { writes: [{ kind: 'put', table: 'project', record }], answer: record };
  },
});
