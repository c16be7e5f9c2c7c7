import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { api } from '../api.ts';
import { time } from '../format.ts';
import { html } from '../html.ts';
import { PagedTable, type Page } from '../more-pages.ts';
import type { Schedule } from '../records.ts';
import type { ViewProps } from '../section.ts';
import { Status } from '../status.ts';
import { ProjectChoice } from './project-choice.ts';

const nameOf = ({ display_name, id }: Schedule): string => display_name ?? id;

const columnsOf = (change: (schedule: Schedule) => void) => [
  { head: 'Schedule', cell: nameOf },
  { head: 'Runs', cell: ({ schedule, time_zone }: Schedule) => html`<code>${schedule}</code> ${time_zone}` },
  {
    head: 'Status',
    cell: ({ status, paused_code }: Schedule) =>
      html`<${Status} value=${status} />${paused_code === null ? '' : html` <code>${paused_code}</code>`}`,
  },
  { head: 'Next run', cell: ({ next_run_at }: Schedule) => time(next_run_at) },
  { head: 'Last run', cell: ({ last_run_at }: Schedule) => time(last_run_at) },
  {
    head: 'Change',
    cell: (schedule: Schedule) => {
      const verb = schedule.status === 'enabled' ? 'Pause' : 'Resume';
      return html`<button type="button" aria-label=${`${verb} ${nameOf(schedule)}`} onClick=${() => change(schedule)}>
        ${verb}
      </button>`;
    },
  },
];

const List = ({ projectId }: { readonly projectId: string }): VNode => {
  const [turn, setTurn] = useState(0);
  const [news, setNews] = useState('');
  const change = (schedule: Schedule): void =>
    void api.patch(`schedules/${schedule.id}`, { enabled: schedule.status !== 'enabled' }).then(
      () => setTurn(turn + 1),
      (error: unknown) => setNews(error instanceof Error ? error.message : String(error)),
    );
  return html`<p role="status">${news}</p>
    <${PagedTable}
      caption="Schedules"
      listKey=${`schedules ${projectId} ${turn}`}
      load=${(after: string | null) => api.get<Page<Schedule>>('schedules', { project_id: projectId, after, limit: 25 })}
      columns=${columnsOf(change)}
      keyOf=${({ id }: Schedule) => id}
      empty="There is no schedule."
    />`;
};

/** The schedules of a project with their next runs. */
export const SchedulesView = ({ place }: ViewProps): VNode => {
  const [projectId, setProjectId] = useState(place.parts[1] ?? '');
  return html`<h1>Schedules</h1>
    <${ProjectChoice} value=${projectId} onChange=${setProjectId} />
    ${projectId === '' ? html`<p class="empty">Choose a project.</p>` : html`<${List} projectId=${projectId} />`}`;
};
