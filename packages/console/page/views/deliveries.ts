import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { api } from '../api.ts';
import { Choice } from '../dialog.ts';
import { time } from '../format.ts';
import { html } from '../html.ts';
import { requestLink } from '../links.ts';
import { PagedTable, type Page } from '../more-pages.ts';
import type { Delivery } from '../records.ts';
import type { ViewProps } from '../section.ts';
import { Status } from '../status.ts';
import { ProjectChoice } from './project-choice.ts';

const statuses = [
  ['', 'any status'],
  ['pending', 'pending'],
  ['delivered', 'delivered'],
  ['failed', 'failed'],
  ['skipped', 'skipped'],
] as const;

const columnsOf = (redeliver: (delivery: Delivery) => void) => [
  { head: 'When', cell: ({ created_at }: Delivery) => time(created_at) },
  { head: 'Event', cell: ({ event_type }: Delivery) => event_type },
  { head: 'Request', cell: ({ operation_id }: Delivery) => requestLink(operation_id) },
  { head: 'Status', cell: ({ status }: Delivery) => html`<${Status} value=${status} />` },
  { head: 'Tries', cell: ({ attempts }: Delivery) => attempts, isFigure: true },
  { head: 'Last response', cell: ({ http_status }: Delivery) => http_status ?? '–', isFigure: true },
  {
    head: 'Send again',
    cell: (delivery: Delivery) =>
      html`<button type="button" aria-label=${`Send ${delivery.event_type} again`} onClick=${() => redeliver(delivery)}>
        Send again
      </button>`,
  },
];

const List = ({ projectId }: { readonly projectId: string }): VNode => {
  const [status, setStatus] = useState('');
  const [turn, setTurn] = useState(0);
  const [news, setNews] = useState('');
  const redeliver = (delivery: Delivery): void =>
    void api.post(`deliveries/${encodeURIComponent(delivery.id)}/redeliver`).then(
      () => {
        setNews('The event will be sent again.');
        setTurn(turn + 1);
        return undefined;
      },
      (error: unknown) => setNews(error instanceof Error ? error.message : String(error)),
    );
  return html`<div class="row">
      <${Choice} name="status" label="Status" options=${statuses} value=${status} onChange=${setStatus} />
      <button type="button" onClick=${() => setTurn(turn + 1)}>Reload</button>
    </div>
    <p role="status">${news}</p>
    <${PagedTable}
      caption="Deliveries"
      listKey=${`deliveries ${projectId} ${status} ${turn}`}
      load=${(after: string | null) => api.get<Page<Delivery>>('deliveries', { project_id: projectId, status, after, limit: 25 })}
      columns=${columnsOf(redeliver)}
      keyOf=${({ id }: Delivery) => id}
      empty="Nothing was sent to a webhook."
    />`;
};

/** Events that were sent to the webhooks of a project. */
export const DeliveriesView = ({ place }: ViewProps): VNode => {
  const [projectId, setProjectId] = useState(place.parts[1] ?? '');
  return html`<h1>Deliveries</h1>
    <${ProjectChoice} value=${projectId} onChange=${setProjectId} />
    ${projectId === '' ? html`<p class="empty">Choose a project.</p>` : html`<${List} projectId=${projectId} />`}`;
};
