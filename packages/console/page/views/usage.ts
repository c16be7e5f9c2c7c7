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
import type { Visitor } from '../visitor.ts';
import { lastDays, ownFilter, SpendChart, type UsageRow, type UsageRows } from './spend-chart.ts';

const ranges = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
] as const;

const groups = [
  ['model', 'model'],
  ['project', 'project'],
  ['key', 'key'],
  ['account', 'account'],
  ['provider', 'provider'],
] as const;

type Group = (typeof groups)[number][0];

/** Groups that a visitor may ask for: who ran what is not for owners. */
const offeredTo = ({ role }: Visitor) =>
  groups.filter(([group]) => role === 'operator' || (group !== 'account' && group !== 'provider'));

const valueOf = (row: UsageRow, group: Group): string =>
  (group === 'model' || group === 'provider' ? row[group] : row[`${group}_id`]) ?? '–';

const isGroup = (value: string): value is Group => groups.some(([group]) => group === value);

/** Usage over a range, as a chart of its days and a table of its groups. */
export const UsageView = ({ visitor }: ViewProps): VNode => {
  const [days, setDays] = useState('30');
  const [group, setGroup] = useState<Group>('model');
  const own = ownFilter(visitor);
  const query = { ...lastDays(Number(days)), ...own, group_by: group, bucket: 'total' };
  const [usage] = useData(`usage ${days} ${group}`, () => api.get<UsageRows>('usage', query));
  const columns = [
    { head: group, cell: (row: UsageRow) => html`<span class="mono">${valueOf(row, group)}</span>` },
    { head: 'Requests', cell: ({ requests }: UsageRow) => count(requests), isFigure: true },
    { head: 'Credits', cell: ({ charged_credits }: UsageRow) => credits(charged_credits), isFigure: true },
  ];
  return html`<h1>Usage</h1>
    <div class="row">
      <${Choice} name="range" label="Range" options=${ranges} value=${days} onChange=${setDays} />
      <${Choice}
        name="group"
        label="Group by"
        options=${offeredTo(visitor)}
        value=${group}
        onChange=${(value: string) => isGroup(value) && setGroup(value)}
      />
      <a class="button" href=${api.address('usage', { ...query, bucket: 'day', format: 'csv' })} download
        >Save as CSV</a
      >
    </div>
    <${SpendChart} days=${Number(days)} filter=${own} />
    <${Shown} data=${usage}>
      ${({ data }: UsageRows) =>
        html`<${Table}
          caption=${`Usage by ${group}`}
          rows=${data}
          columns=${columns}
          keyOf=${(row: UsageRow) => valueOf(row, group)}
          empty="Nothing was used in this range."
        />`}
    <//>`;
};
