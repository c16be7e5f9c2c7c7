import type { VNode } from 'preact';
import { api } from '../api.ts';
import { Chart } from '../chart.ts';
import { html } from '../html.ts';
import { Shown } from '../shown.ts';
import { useData } from '../use-data.ts';
import type { Visitor } from '../visitor.ts';

/** Usage of one bucket of time, and of one group where it was asked by groups. */
export interface UsageRow {
  readonly from: string;
  readonly model?: string;
  readonly account_id?: string;
  readonly project_id?: string;
  readonly key_id?: string;
  readonly provider?: string;
  readonly requests: number;
  readonly charged_credits: string;
}

export interface UsageRows {
  readonly data: readonly UsageRow[];
}

const dayMs = 86_400_000;

/** What an owner is asked to name: its own. An operator sees all. */
export const ownFilter = ({ role, account_id, project_ids }: Visitor): Readonly<Record<string, string>> => {
  if (role === 'operator') return {};
  const [project] = project_ids ?? [];
  return account_id === null ? { project_id: project ?? '' } : { account_id };
};

/** The last days up to the end of today, in UTC. */
export const lastDays = (days: number): { readonly from: string; readonly until: string } => {
  const untilMs = (Math.floor(Date.now() / dayMs) + 1) * dayMs;
  return { from: new Date(untilMs - days * dayMs).toISOString(), until: new Date(untilMs).toISOString() };
};

interface SpendChartProps {
  readonly days: number;
  readonly filter: Readonly<Record<string, string>>;
}

/** Days without a charge are points as well: a line between two charged days would invent what lies between. */
const pointsOf = (rows: readonly UsageRow[], days: number) => {
  const fromMs = Date.parse(lastDays(days).from);
  const byDay = new Map(rows.map(({ from, charged_credits }) => [Date.parse(from), charged_credits]));
  return Array.from({ length: days }, (_, day) => {
    const atMs = fromMs + day * dayMs;
    return { atMs, amount: byDay.get(atMs) ?? '0' };
  });
};

/** Credits that were charged, by day. */
export const SpendChart = ({ days, filter }: SpendChartProps): VNode => {
  const [usage] = useData(`spend ${days} ${JSON.stringify(filter)}`, async () => {
    const { data } = await api.get<UsageRows>('usage', { ...lastDays(days), ...filter, bucket: 'day' });
    return pointsOf(data, days);
  });
  return html`<${Shown} data=${usage}>
    ${(points: ReturnType<typeof pointsOf>) => html`<${Chart} title="Credits charged by day" unit="credits" points=${points} />`}
  <//>`;
};
