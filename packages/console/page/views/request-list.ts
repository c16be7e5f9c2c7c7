import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { api } from '../api.ts';
import { Choice } from '../dialog.ts';
import { credits, span, time } from '../format.ts';
import { html } from '../html.ts';
import { requestLink } from '../links.ts';
import { PagedTable, type Page } from '../more-pages.ts';
import type { Operation } from '../records.ts';
import { Status } from '../status.ts';

const lasted = ({ created_at, ended_at }: Operation): string =>
  ended_at === null ? '–' : span(Date.parse(ended_at) - Date.parse(created_at));

/** Credits of a request: what was charged, or what is reserved while it is open. */
const amountOf = ({ ended_at, charged_credits, hold_credits }: Operation): string =>
  ended_at === null ? `${credits(hold_credits)} reserved` : credits(charged_credits);

const columns = [
  { head: 'Request', cell: ({ id }: Operation) => requestLink(id) },
  { head: 'When', cell: ({ created_at }: Operation) => time(created_at) },
  { head: 'Kind', cell: ({ kind }: Operation) => kind },
  { head: 'Model', cell: ({ model }: Operation) => model },
  { head: 'State', cell: ({ state }: Operation) => html`<${Status} value=${state} />` },
  { head: 'Took', cell: lasted, isFigure: true },
  { head: 'Credits', cell: amountOf, isFigure: true },
];

const states = [
  ['', 'any state'],
  ['completed', 'completed'],
  ['failed', 'failed'],
  ['executing', 'executing'],
  ['settling', 'settling'],
  ['uncertain', 'uncertain'],
] as const;

interface RequestListProps {
  readonly query: Readonly<Record<string, string>>;
}

/** Requests by account, project or key, newest first. */
export const RequestList = ({ query }: RequestListProps): VNode => {
  const [state, setState] = useState('');
  return html`<div class="row">
      <${Choice} name="state" label="State" options=${states} value=${state} onChange=${setState} />
    </div>
    <${PagedTable}
      caption="Requests"
      listKey=${`requests ${JSON.stringify(query)} ${state}`}
      load=${(after: string | null) => api.get<Page<Operation>>('operations', { ...query, state, after, limit: 25 })}
      columns=${columns}
      keyOf=${({ id }: Operation) => id}
      empty="There is no such request."
    />`;
};
