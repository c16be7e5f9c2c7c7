import type { VNode } from 'preact';
import { api } from '../api.ts';
import { credits, time } from '../format.ts';
import { html } from '../html.ts';
import { accountLink, requestLink } from '../links.ts';
import { PagedTable, type Page } from '../more-pages.ts';
import type { Anomaly, Operation } from '../records.ts';

const columns = [
  { head: 'Request', cell: ({ id }: Operation) => requestLink(id) },
  { head: 'Since', cell: ({ created_at }: Operation) => time(created_at) },
  { head: 'Account', cell: ({ account_id }: Operation) => accountLink(account_id) },
  { head: 'Model', cell: ({ model }: Operation) => model },
  { head: 'Reserved', cell: ({ hold_credits }: Operation) => credits(hold_credits), isFigure: true },
];

const anomalyColumns = [
  { head: 'When', cell: ({ created_at }: Anomaly) => time(created_at) },
  { head: 'What', cell: ({ code }: Anomaly) => html`<code>${code}</code>` },
  { head: 'Request', cell: ({ operation_id }: Anomaly) => requestLink(operation_id) },
  { head: 'Account', cell: ({ account_id }: Anomaly) => accountLink(account_id) },
];

/** What an operator has to decide, and what should not have happened. */
export const UncertainView = (): VNode =>
  html`<h1>Uncertain requests</h1>
    <p>Their outcome or their cost is unknown. Each keeps its reserved credits until you decide it.</p>
    <${PagedTable}
      caption="Uncertain requests"
      listKey="uncertain"
      load=${(after: string | null) => api.get<Page<Operation>>('operations', { state: 'uncertain', after })}
      columns=${columns}
      keyOf=${({ id }: Operation) => id}
      empty="No request is uncertain."
    />
    <h3>Anomalies</h3>
    <${PagedTable}
      caption="Anomalies"
      listKey="anomalies"
      load=${(after: string | null) => api.get<Page<Anomaly>>('anomalies', { after, limit: 25 })}
      columns=${anomalyColumns}
      keyOf=${({ id }: Anomaly) => id}
      empty="No anomaly is on record."
    />`;
