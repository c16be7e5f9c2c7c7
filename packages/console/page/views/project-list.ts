import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { api } from '../api.ts';
import { Dialog, Field, Form, type ReadField } from '../dialog.ts';
import { time } from '../format.ts';
import { html } from '../html.ts';
import { PagedTable, type Page } from '../more-pages.ts';
import type { CreatedKey, Project } from '../records.ts';
import { linkTo } from '../router.ts';
import { Status } from '../status.ts';
import { KeySecret } from './key-secret.ts';

const columns = [
  { head: 'Project', cell: ({ id, name }: Project) => html`<a href=${linkTo('projects', id)}>${name}</a>` },
  { head: 'Status', cell: ({ status }: Project) => html`<${Status} value=${status} />` },
  { head: 'Created', cell: ({ created_at }: Project) => time(created_at) },
];

interface CreateProps {
  readonly accountId: string | null;
  readonly onClose: () => void;
}

/** Creates a project with a first key, whose text is shown once. */
const CreateProject = ({ accountId, onClose }: CreateProps): VNode => {
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const create = async (read: ReadField): Promise<void> => {
    const project = await api.post<Project>('projects', {
      account_id: accountId ?? read('account_id'),
      name: read('name'),
    });
    setCreated(await api.post<CreatedKey>(`projects/${project.id}/keys`, { name: 'first key', model: null }));
  };
  if (created !== null) return html`<${KeySecret} created=${created} onClose=${onClose} />`;
  return html`<${Dialog} title="Create a project" onClose=${onClose}>
    <${Form} submit="Create the project and a key" onSubmit=${create}>
      ${accountId === null ? html`<${Field} name="account_id" label="Id of the account" required />` : null}
      <${Field} name="name" label="Name" required maxlength="120" />
    <//>
  <//>`;
};

/** The projects of an account, or all that the visitor may see. */
export const ProjectList = ({ accountId }: { readonly accountId: string | null }): VNode => {
  const [turn, setTurn] = useState(0);
  const [isCreating, setCreating] = useState(false);
  return html`<p><button type="button" class="primary" onClick=${() => setCreating(true)}>Create a project</button></p>
    <${PagedTable}
      caption="Projects"
      listKey=${`projects ${accountId ?? ''} ${turn}`}
      load=${(after: string | null) => api.get<Page<Project>>('projects', { account_id: accountId, after })}
      columns=${columns}
      keyOf=${({ id }: Project) => id}
      empty="There is no project yet."
    />
    ${
      isCreating
        ? html`<${CreateProject}
            accountId=${accountId}
            onClose=${() => {
              setCreating(false);
              setTurn(turn + 1);
            }}
          />`
        : null
    }`;
};
