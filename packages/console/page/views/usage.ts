import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { api } from '../api.ts';
import { Choice } from '../dialog.ts';
import { count, credits } from '../format.ts';
import { html } from '../html.ts';
import type { ViewProps } from '../section.ts';
import { Shown } from '../shown.ts';
import { Table } from '../table.ts';
import { useData } from '../use-data.ts';
import { lastDays, SpendChart, type UsageRow, type UsageRows } from './spend-chart.ts';

const ranges = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
] as const;

const groups = [
  ['model', 'model'],
  ['provider', 'provider'],
  ['project_id', 'project'],
  ['key_id', 'key'],
  ['account_id', 'account'],
] as const;

type Group = (typeof groups)[number][0];

const isGroup = (value: string): value is Group => groups.some(([group]) => group === value);

/** Usage over a range, as a chart of its days and a table of its groups. */
export const UsageView = ({ visitor }: ViewProps): VNode => {
  const [days, setDays] = useState('30');
  const [group, setGroup] = useState<Group>('model');
  const query = { ...lastDays(Number(days)), group_by: group, bucket: 'total' };
  const [usage] = useData(`usage ${days} ${group}`, () => api.get<UsageRows>('usage', query));
  const offered = groups.filter(([value]) => visitor.role === 'operator' || value !== 'account_id');
  const columns = [
    { head: group.replace('_id', ''), cell: (row: UsageRow) => row[group] ?? '–' },
    { head: 'Requests', cell: ({ requests }: UsageRow) => count(requests), isFigure: true },
    { head: 'Credits', cell: ({ charged_credits }: UsageRow) => credits(charged_credits), isFigure: true },
  ];
  return html`<h1>Usage</h1>
    <div class="row">
      <${Choice} name="range" label="Range" options=${ranges} value=${days} onChange=${setDays} />
      <${Choice} name="group" label="Group by" options=${offered} value=${group} onChange=${(value: string) => isGroup(value) && setGroup(value)} />
      <a class="button" href=${api.address('usage', { ...query, bucket: 'day', format: 'csv' })} download>Save as CSV</a>
    </div>
    <${SpendChart} days=${Number(days)} filter=${{}} />
    <${Shown} data=${usage}>
      ${({ data }: UsageRows) => html`<${Table}
        caption=${`Usage by ${group}`}
        rows=${data}
        columns=${columns}
        keyOf=${(row: UsageRow) => String(row[group])}
        empty="Nothing was used in this range."
      />`}
    <//>`;
};
