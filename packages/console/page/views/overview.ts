import type { VNode } from 'preact';
import { api } from '../api.ts';
import { html } from '../html.ts';
import type { Page } from '../more-pages.ts';
import type { Operation } from '../records.ts';
import { linkTo } from '../router.ts';
import type { ViewProps } from '../section.ts';
import { Shown } from '../shown.ts';
import { useData } from '../use-data.ts';
import { ownFilter, SpendChart } from './spend-chart.ts';

/** How many operations are uncertain, counted up to one page. */
const Uncertain = (): VNode => {
  const [page] = useData('overview uncertain', () => api.get<Page<Operation>>('operations', { state: 'uncertain' }));
  return html`<${Shown} data=${page}>
    ${({ data, next }: Page<Operation>) =>
      html`<dl class="cards">
        <div class="card">
          <dt>Uncertain requests</dt>
          <dd>${data.length}${next === null ? '' : ' or more'}</dd>
          ${data.length === 0 ? null : html`<a href=${linkTo('uncertain')}>Decide them</a>`}
        </div>
      </dl>`}
  <//>`;
};

/** What a visitor sees first: what has to be decided, and what was spent. */
export const OverviewView = ({ visitor }: ViewProps): VNode =>
  html`<h1>Overview</h1>
    ${visitor.role === 'operator' ? html`<${Uncertain} />` : null}
    <${SpendChart} days=${30} filter=${ownFilter(visitor)} />`;
