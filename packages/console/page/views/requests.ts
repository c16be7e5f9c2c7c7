import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Field } from '../dialog.ts';
import { html } from '../html.ts';
import { linkTo } from '../router.ts';
import type { ViewProps } from '../section.ts';
import { ProjectChoice } from './project-choice.ts';
import { RequestList } from './request-list.ts';
import { RequestView } from './request.ts';

/** Opens a request by its id, as a client or a log names it. */
const OpenById = (): VNode => {
  const open = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const id = String(new FormData(event.currentTarget).get('id') ?? '').trim();
    if (id !== '') location.hash = linkTo('requests', id);
  };
  return html`<form class="row" onSubmit=${open}>
    <${Field} name="id" label="Id of a request" required />
    <button type="submit">Open</button>
  </form>`;
};

/** Requests of a project, or the one that the address names. */
export const RequestsView = (props: ViewProps): VNode => {
  const id = props.place.parts[1];
  const [projectId, setProjectId] = useState('');
  if (id !== undefined) return html`<${RequestView} key=${id} id=${id} visitor=${props.visitor} />`;
  return html`<h1>Requests</h1>
    <${OpenById} />
    <${ProjectChoice} value=${projectId} onChange=${setProjectId} />
    ${projectId === '' ? html`<p class="empty">Choose a project.</p>` : html`<${RequestList} query=${{ project_id: projectId }} />`}`;
};
