import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { api } from '../api.ts';
import { Dialog, Field, Form, type ReadField } from '../dialog.ts';
import { credits, time } from '../format.ts';
import { html } from '../html.ts';
import { accountLink } from '../links.ts';
import { PagedTable, type Page } from '../more-pages.ts';
import type { CreatedKey, Key, Project } from '../records.ts';
import { linkTo } from '../router.ts';
import { Shown } from '../shown.ts';
import { Status } from '../status.ts';
import { useData } from '../use-data.ts';
import type { Visitor } from '../visitor.ts';
import { KeySecret } from './key-secret.ts';
import { KeyLimits } from './key-limits.ts';
import { ratesText } from './rate-fields.ts';
import { RecordLimits } from './record-limits.ts';
import { RequestList } from './request-list.ts';

interface IdProps {
  readonly id: string;
}

const modelsOf = ({ model, models }: Key): string => {
  if (model !== null) return model;
  return models === null ? 'all' : models.join(', ');
};

const CreateKey = ({ id, onClose }: IdProps & { readonly onClose: () => void }): VNode => {
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const create = async (read: ReadField): Promise<void> => {
    const model = read('model');
    setCreated(
      await api.post<CreatedKey>(`projects/${id}/keys`, {
        name: read('name'),
        model: model === '' ? null : model,
      }),
    );
  };
  if (created !== null) return html`<${KeySecret} created=${created} onClose=${onClose} />`;
  return html`<${Dialog} title="Create a key" onClose=${onClose}>
    <${Form} submit="Create the key" onSubmit=${create}>
      <${Field} name="name" label="Name" required maxlength="120" />
      <${Field} name="model" label="Model" note="Empty: the key may use every model." />
    <//>
  <//>`;
};

const Keys = ({ id, isOperator }: IdProps & { readonly isOperator: boolean }): VNode => {
  const [turn, setTurn] = useState(0);
  const [open, setOpen] = useState<'create' | Key | null>(null);
  const setStatus = async (key: Key, status: string): Promise<void> => {
    await api.patch(`keys/${key.id}`, { status });
    setTurn(turn + 1);
  };
  const close = (): void => {
    setOpen(null);
    setTurn(turn + 1);
  };
  const columns = [
    { head: 'Key', cell: (key: Key) => (key.name === '' ? html`<span class="mono">${key.id}</span>` : key.name) },
    { head: 'Status', cell: ({ status }: Key) => html`<${Status} value=${status} />` },
    { head: 'Models', cell: modelsOf },
    { head: 'Last used', cell: ({ last_used_at }: Key) => time(last_used_at) },
    {
      head: 'Cap',
      cell: ({ cap }: Key) =>
        cap === null ? '–' : `${credits(cap.amount_credits)} ${cap.window === 'total' ? 'in all' : `a ${cap.window}`}`,
    },
    { head: 'Expires', cell: ({ expires_at }: Key) => (expires_at ? time(expires_at) : 'never') },
    {
      head: 'Change',
      cell: (key: Key) =>
        key.status === 'revoked'
          ? '–'
          : html`<span class="row">
              <button type="button" aria-label=${`Limits of ${key.name}`} onClick=${() => setOpen(key)}>Limits</button>
              <button
                type="button"
                class="danger"
                aria-label=${`Revoke ${key.name}`}
                onClick=${() => confirm(`Revoke the key ${key.name} for good?`) && void setStatus(key, 'revoked')}
              >
                Revoke
              </button>
            </span>`,
    },
  ];
  return html`<p><button type="button" class="primary" onClick=${() => setOpen('create')}>Create a key</button></p>
    <${PagedTable}
      caption="Keys"
      listKey=${`keys ${id} ${turn}`}
      load=${(after: string | null) => api.get<Page<Key>>(`projects/${id}/keys`, { after, limit: 25 })}
      columns=${columns}
      keyOf=${(key: Key) => key.id}
      empty="There is no key yet."
    />
    ${open === 'create' ? html`<${CreateKey} id=${id} onClose=${close} />` : null}
    ${open !== null && open !== 'create' ? html`<${KeyLimits} apiKey=${open} isOperator=${isOperator} onClose=${close} />` : null}`;
};

/** One project: its keys and its requests. */
export const ProjectView = ({ id, visitor }: IdProps & { readonly visitor: Visitor }): VNode => {
  const [project, reload] = useData(`project ${id}`, () => api.get<Project>(`projects/${id}`));
  const setStatus = async (status: string): Promise<void> => {
    await api.patch(`projects/${id}`, { status });
    reload();
  };
  return html`<${Shown} data=${project}>
    ${({ name, status, account_id, created_at, limits }: Project) => html`
      <div class="row spread">
        <h1>${name}</h1>
        <span class="row">
          <a class="button" href=${linkTo('deliveries', id)}>Deliveries</a>
          <a class="button" href=${linkTo('schedules', id)}>Schedules</a>
          ${
            visitor.role === 'operator' && status !== 'closed'
              ? html`<${RecordLimits} path=${`projects/${id}`} of="project" limits=${limits} onSaved=${reload} />`
              : null
          }
          ${
            status === 'closed'
              ? null
              : html`<button type="button" onClick=${() => void setStatus(status === 'active' ? 'paused' : 'active')}>
                  ${status === 'active' ? 'Pause' : 'Resume'}
                </button>`
          }
        </span>
      </div>
      <dl class="facts">
        <dt>Status</dt>
        <dd><${Status} value=${status} /></dd>
        <dt>Account</dt>
        <dd>${accountLink(account_id)}</dd>
        <dt>Created</dt>
        <dd>${time(created_at)}</dd>
        <dt>Limits</dt>
        <dd>${ratesText(limits)}</dd>
        <dt>Id</dt>
        <dd class="mono">${id}</dd>
      </dl>
      <h3>Keys</h3>
      <${Keys} id=${id} isOperator=${visitor.role === 'operator'} />
      <h3>Requests</h3>
      <${RequestList} query=${{ project_id: id }} />
    `}
  <//>`;
};
