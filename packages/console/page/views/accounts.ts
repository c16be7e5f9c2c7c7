import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { api } from '../api.ts';
import { Dialog, Field, Form, type ReadField } from '../dialog.ts';
import { time } from '../format.ts';
import { html } from '../html.ts';
import { PagedTable, type Page } from '../more-pages.ts';
import type { Account } from '../records.ts';
import { linkTo } from '../router.ts';
import type { ViewProps } from '../section.ts';
import { Status } from '../status.ts';
import { AccountView } from './account.ts';

const columns = [
  { head: 'Account', cell: ({ id, name }: Account) => html`<a href=${linkTo('accounts', id)}>${name}</a>` },
  { head: 'Status', cell: ({ status }: Account) => html`<${Status} value=${status} />` },
  { head: 'Opened', cell: ({ created_at }: Account) => time(created_at) },
];

const CreateAccount = ({ onClose }: { readonly onClose: () => void }): VNode => {
  const create = async (read: ReadField): Promise<void> => {
    const account = await api.post<Account>('accounts', { name: read('name') });
    onClose();
    location.hash = linkTo('accounts', account.id);
  };
  return html`<${Dialog} title="Open an account" onClose=${onClose}>
    <${Form} submit="Open the account" onSubmit=${create}>
      <${Field} name="name" label="Name" required maxlength="120" note="As your staff knows the customer." />
    <//>
  <//>`;
};

const AccountList = (): VNode => {
  const [search, setSearch] = useState('');
  const [isCreating, setCreating] = useState(false);
  return html`<div class="row spread">
      <h1>Accounts</h1>
      <button type="button" class="primary" onClick=${() => setCreating(true)}>Open an account</button>
    </div>
    <div class="row">
      <${Field}
        name="search"
        label="Search"
        type="search"
        onInput=${(event: Event) => event.currentTarget instanceof HTMLInputElement && setSearch(event.currentTarget.value)}
      />
    </div>
    <${PagedTable}
      caption="Accounts"
      listKey=${`accounts ${search}`}
      load=${(after: string | null) => api.get<Page<Account>>('accounts', { search, after })}
      columns=${columns}
      keyOf=${({ id }: Account) => id}
      empty=${search === '' ? 'There is no account yet.' : 'No account has this text.'}
    />
    ${isCreating ? html`<${CreateAccount} onClose=${() => setCreating(false)} />` : null}`;
};

/** All accounts, or the one that the address names. */
export const AccountsView = (props: ViewProps): VNode => {
  const id =
    props.place.parts[1] ?? (props.visitor.role === 'owner' ? (props.visitor.account_id ?? undefined) : undefined);
  return id === undefined ? html`<${AccountList} />` : html`<${AccountView} key=${id} id=${id} ...${props} />`;
};
