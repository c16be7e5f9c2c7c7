import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { api } from '../api.ts';
import { Dialog, Field, Form, type ReadField } from '../dialog.ts';
import { credits, time } from '../format.ts';
import { html } from '../html.ts';
import { requestLink } from '../links.ts';
import { PagedTable, type Page } from '../more-pages.ts';
import type { Account, Entry, Wallet } from '../records.ts';
import type { ViewProps } from '../section.ts';
import { Shown } from '../shown.ts';
import { Status } from '../status.ts';
import { useData } from '../use-data.ts';
import { ProjectList } from './project-list.ts';
import { ratesText } from './rate-fields.ts';
import { RecordLimits } from './record-limits.ts';

interface IdProps {
  readonly id: string;
}

const entryColumns = [
  { head: 'When', cell: ({ created_at }: Entry) => time(created_at) },
  { head: 'Entry', cell: ({ kind }: Entry) => kind },
  { head: 'Model', cell: ({ model }: Entry) => model ?? '–' },
  {
    head: 'Request or reference',
    cell: ({ operation_id, reference }: Entry) =>
      operation_id === null ? (reference ?? '–') : requestLink(operation_id),
  },
  { head: 'Credits', cell: ({ amount_credits }: Entry) => credits(amount_credits), isFigure: true },
  { head: 'Balance after', cell: ({ balance_credits }: Entry) => credits(balance_credits), isFigure: true },
];

const Deposit = ({ id, onClose }: IdProps & { readonly onClose: () => void }): VNode => {
  // One reference for one dialog: a second press of the button deposits nothing more.
  const [reference] = useState(() => `console-${crypto.randomUUID()}`);
  const send = async (read: ReadField): Promise<void> => {
    const note = read('reference');
    await api.post(`accounts/${id}/deposits`, {
      credits: read('amount'),
      reference: note === '' ? reference : note,
    });
    onClose();
  };
  return html`<${Dialog} title="Deposit credits" onClose=${onClose}>
    <${Form} submit="Deposit" onSubmit=${send}>
      <${Field} name="amount" label="Credits" required inputmode="decimal" pattern="[0-9]+([.][0-9]{1,6})?" />
      <${Field}
        name="reference"
        label="Reference"
        maxlength="200"
        note="Such as the number of an invoice. The same reference deposits once."
      />
    <//>
  <//>`;
};

const Balance = ({ id, isOperator }: IdProps & { readonly isOperator: boolean }): VNode => {
  const [turn, setTurn] = useState(0);
  const [isDepositing, setDepositing] = useState(false);
  const [wallet] = useData(`wallet ${id} ${turn}`, () => api.get<Wallet>(`accounts/${id}/wallet`));
  return html`<${Shown} data=${wallet}>
      ${({ balance_credits, reserved_credits }: Wallet) =>
        html`<dl class="cards">
          <div class="card">
            <dt>Balance</dt>
            <dd data-testid="balance">${credits(balance_credits)}</dd>
          </div>
          <div class="card">
            <dt>Reserved by open requests</dt>
            <dd data-testid="reserved">${credits(reserved_credits)}</dd>
          </div>
        </dl>`}
    <//>
    ${
      isOperator
        ? html`<p>
            <button type="button" class="primary" onClick=${() => setDepositing(true)}>Deposit credits</button>
          </p>`
        : null
    }
    ${
      isDepositing
        ? html`<${Deposit}
            id=${id}
            onClose=${() => {
              setDepositing(false);
              setTurn(turn + 1);
            }}
          />`
        : null
    }
    <h3>Statement</h3>
    <p><a class="button" href=${api.address(`accounts/${id}/statement`, { format: 'csv' })} download>Save as CSV</a></p>
    <${PagedTable}
      caption="Statement"
      listKey=${`statement ${id} ${turn}`}
      load=${(after: string | null) => api.get<Page<Entry>>(`accounts/${id}/statement`, { after, limit: 25 })}
      columns=${entryColumns}
      keyOf=${(entry: Entry) => entry.id}
      empty="There is no entry yet."
    />`;
};

/** One account: its wallet, its projects and its statement. */
export const AccountView = ({ id, visitor }: IdProps & ViewProps): VNode => {
  const [account, reload] = useData(`account ${id}`, () => api.get<Account>(`accounts/${id}`));
  const isOperator = visitor.role === 'operator';
  const setStatus = async (status: string): Promise<void> => {
    await api.patch(`accounts/${id}`, { status });
    reload();
  };
  return html`<${Shown} data=${account}>
    ${({ name, status, created_at, limits }: Account) => html`
      <div class="row spread">
        <h1>${name}</h1>
        ${
          isOperator && status !== 'closed'
            ? html`<span class="row">
                <${RecordLimits} path=${`accounts/${id}`} of="account" limits=${limits} onSaved=${reload} />
                <button
                  type="button"
                  class="danger"
                  onClick=${() => void setStatus(status === 'blocked' ? 'active' : 'blocked')}
                >
                  ${status === 'blocked' ? 'Unblock' : 'Block'}
                </button>
              </span>`
            : null
        }
      </div>
      <dl class="facts">
        <dt>Status</dt>
        <dd><${Status} value=${status} /></dd>
        <dt>Opened</dt>
        <dd>${time(created_at)}</dd>
        <dt>Limits</dt>
        <dd>${ratesText(limits)}</dd>
        <dt>Id</dt>
        <dd class="mono">${id}</dd>
      </dl>
      <h3>Credits</h3>
      <${Balance} id=${id} isOperator=${isOperator} />
      <h3>Projects</h3>
      <${ProjectList} accountId=${id} />
    `}
  <//>`;
};
