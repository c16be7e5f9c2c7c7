import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { api } from '../api.ts';
import { Choice, Field, Form, type ReadField } from '../dialog.ts';
import { credits, time } from '../format.ts';
import { html } from '../html.ts';
import type { Attempt, Operation } from '../records.ts';

interface ResolveProps {
  readonly operation: Operation;
  readonly onResolved: () => void;
}

type Decision = 'release' | 'at_least' | 'amount';

interface Preview {
  readonly amount_credits: string;
}

const bodyOf = (decision: Decision, amount: string): Readonly<Record<string, unknown>> => {
  switch (decision) {
    case 'release':
      return { executed: false };
    case 'at_least':
      return { executed: true, usage: 'at_least' };
    case 'amount':
      return { executed: true, credits: amount };
  }
};

const isDecision = (value: string): value is Decision => ['release', 'at_least', 'amount'].includes(value);

/** By what a request is found on the bill of its upstream. */
const billLine = ({ provider = 'upstream', outcome, upstream_id, started_at }: Attempt): string =>
  `${provider}: ${outcome.replaceAll('_', ' ')} at ${time(started_at)}, ${upstream_id === undefined ? 'without an id' : `id ${upstream_id}`}`;

/** Decides an uncertain request, with what is known of the upstream's bill beside the form. */
export const Resolve = ({ operation, onResolved }: ResolveProps): VNode => {
  const [decision, setDecision] = useState<Decision>('release');
  const [preview, setPreview] = useState<string | null>(null);
  const known = operation.usage_at_least ?? [];
  const billed = (operation.attempts ?? []).map(billLine);
  const decide = async (read: ReadField): Promise<void> => {
    const verdict = bodyOf(decision, read('amount'));
    if (preview === null) {
      const { amount_credits } = await api.post<Preview>(`operations/${operation.id}/verdict-preview`, verdict);
      setPreview(amount_credits);
      return;
    }
    const reason = read('reason');
    await api.post(`operations/${operation.id}/verdict`, { ...verdict, ...(reason === '' ? {} : { reason }) });
    onResolved();
  };
  return html`<dl class="facts">
      <dt>Reserved</dt>
      <dd>${`${credits(operation.hold_credits)} credits`}</dd>
      <dt>Used at the least</dt>
      <dd>
        ${known.length === 0 ? 'nothing is known' : known.map(({ unit, quantity }) => `${quantity} ${unit}`).join(', ')}
      </dd>
      <dt>On the upstream's bill</dt>
      <dd>${billed.length === 0 ? 'no request is on record' : billed.map((line) => html`<div>${line}</div>`)}</dd>
    </dl>
    <${Form}
      submit=${preview === null ? 'See what this charges' : `Charge ${credits(preview)} credits`}
      onSubmit=${decide}
    >
      <${Choice}
        name="decision"
        label="Decision"
        value=${decision}
        onChange=${(value: string) => {
          if (isDecision(value)) setDecision(value);
          setPreview(null);
        }}
        options=${[
          ['release', 'It did not run: release the credits'],
          ...(known.length === 0 ? [] : [['at_least', 'Charge what it used at the least']]),
          ['amount', 'Charge an amount'],
        ]}
      />
      ${
        decision === 'amount'
          ? html`<${Field}
              name="amount"
              label="Credits"
              required
              inputmode="decimal"
              pattern="[0-9]+([.][0-9]{1,6})?"
              onInput=${() => setPreview(null)}
            />`
          : null
      }
      <${Field} name="reason" label="Reason" maxlength="200" />
    <//>`;
};
