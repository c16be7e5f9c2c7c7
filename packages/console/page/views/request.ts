import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { api } from '../api.ts';
import { credits, span, time } from '../format.ts';
import { html } from '../html.ts';
import { accountLink, projectLink } from '../links.ts';
import type { Attempt, LifeEvent, Measured, Operation, OperationLife } from '../records.ts';
import { Shown } from '../shown.ts';
import { Status } from '../status.ts';
import { useData } from '../use-data.ts';
import type { Visitor } from '../visitor.ts';
import { Resolve } from './resolve.ts';

/** How often a request that is under way is read again. */
const followMs = 1_000;

const usageText = (usage: readonly Measured[]): string =>
  usage.map(({ unit, quantity }) => `${quantity} ${unit.replaceAll('_', ' ')}`).join(', ');

const reasons: Readonly<Record<string, string>> = {
  waits_for_balance: 'It is measured, and the free balance does not cover the amount. A deposit settles it.',
  outcome_unknown: 'A request to the upstream may have run.',
  no_usage: 'The upstream responded and reported no usage that has a price.',
  nothing_recorded: 'No request to an upstream is on record.',
};

const attemptText = ({ provider, outcome, status, duration_ms }: Attempt): string =>
  `: ${outcome.replaceAll('_', ' ')}${status === null || status === undefined ? '' : ` with ${status}`} after ${span(duration_ms)}` +
  (provider === undefined ? '' : ` (${provider})`);

const verdictText = (kind: string, by: string | null, reason: string | null): string =>
  [`: ${kind.replaceAll('_', ' ')}`, by === null ? '' : ` by ${by}`, reason === null ? '' : `, ${reason}`].join('');

const describe = (event: LifeEvent): VNode => {
  switch (event.kind) {
    case 'opened':
      return html`<strong>Opened</strong
        >${event.hold_credits === null ? '' : `: ${credits(event.hold_credits)} credits reserved`}`;
    case 'attempt':
      return html`<strong>Upstream request</strong>${attemptText(event.attempt)}${' '}<span class="mono"
          >${event.attempt.upstream_id ?? ''}</span
        >`;
    case 'verdict':
      return html`<strong>Decided</strong>${verdictText(event.verdict.kind, event.verdict.by, event.verdict.reason)}`;
    case 'ended':
      return html`<strong>Ended</strong>${': '}<${Status}
          value=${event.state}
        />${`, ${credits(event.charged_credits)} credits charged`}${event.error_code === null ? '' : html`${', '}<code>${event.error_code}</code>`}`;
    case 'delivery':
      return html`<strong>Event ${event.delivery.event_type}</strong>${': '}<${Status}
          value=${event.delivery.status}
        />${` after ${event.delivery.attempts} tries`}`;
  }
};

const tierText = (asked: string, served: string | null): string =>
  served === null || served === asked ? asked : `${asked} asked for, ${served} served`;

const Facts = ({ operation }: { readonly operation: Operation }): VNode =>
  html`<dl class="facts">
    <dt>State</dt>
    <dd><${Status} value=${operation.state} /></dd>
    <dt>Model</dt>
    <dd>${operation.model}</dd>
    <dt>Kind</dt>
    <dd>${operation.kind}</dd>
    ${
      operation.ended_at === null
        ? html`<dt>Reserved</dt>
            <dd data-testid="reserved">${credits(operation.hold_credits)} credits</dd>`
        : html`<dt>Charged</dt>
            <dd data-testid="charged">${credits(operation.charged_credits)} credits</dd>`
    }
    ${
      operation.service_tier === null
        ? null
        : html`<dt>Service tier</dt>
            <dd data-testid="tier">${tierText(operation.service_tier, operation.served_tier)}</dd>`
    }
    <dt>Usage</dt>
    <dd>${operation.usage === null ? 'not measured' : usageText(operation.usage)}</dd>
    <dt>Project</dt>
    <dd>${projectLink(operation.project_id)}</dd>
    <dt>Account</dt>
    <dd>${accountLink(operation.account_id)}</dd>
    <dt>Key</dt>
    <dd class="mono">${operation.key_id}</dd>
    <dt>Idempotency-Key</dt>
    <dd class="mono">${operation.identity ?? '–'}</dd>
    <dt>Id</dt>
    <dd class="mono">${operation.id}</dd>
  </dl>`;

const Life = ({ events }: { readonly events: readonly LifeEvent[] }): VNode =>
  html`<ol class="life">
    ${events.map(
      (event, place) =>
        html`<li key=${place}>
          <time datetime=${event.at}
            >${time(event.at)}${place === 0 ? '' : `, after ${span(Date.parse(event.at) - Date.parse(events[0]?.at ?? event.at))}`}</time
          >
          <div>${describe(event)}</div>
        </li>`,
    )}
  </ol>`;

interface RequestProps {
  readonly id: string;
  readonly visitor: Visitor;
}

/** One request with its life as a time line, followed while it is under way. */
export const RequestView = ({ id, visitor }: RequestProps): VNode => {
  const [life, reload] = useData(`life ${id}`, () => api.get<OperationLife>(`operations/${id}/life`));
  const isOpen =
    life.kind === 'ready' && life.value.operation.ended_at === null && life.value.operation.state !== 'uncertain';
  useEffect(() => {
    if (!isOpen) return undefined;
    const timer = setInterval(reload, followMs);
    return () => clearInterval(timer);
  }, [isOpen, reload]);
  return html`<${Shown} data=${life}>
    ${({ operation, events, uncertain, event_pending }: OperationLife) => html`
      <h1>Request</h1>
      <${Facts} operation=${operation} />
      ${
        uncertain === null
          ? null
          : html`<div class="card">
              <h2>Why it is uncertain</h2>
              <p>${reasons[uncertain.kind] ?? uncertain.kind}</p>
              ${visitor.role === 'operator' ? html`<${Resolve} operation=${operation} onResolved=${reload} />` : null}
            </div>`
      }
      <h3>Time line</h3>
      <${Life} events=${events} />
      ${event_pending ? html`<p class="empty">An event waits to be sent to webhooks.</p>` : null}
    `}
  <//>`;
};
