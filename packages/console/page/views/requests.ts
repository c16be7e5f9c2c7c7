import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Field, Form, type ReadField } from '../dialog.ts';
import { html } from '../html.ts';
import { linkTo } from '../router.ts';
import type { ViewProps } from '../section.ts';
import { ProjectChoice } from './project-choice.ts';
import { RequestList } from './request-list.ts';
import { RequestView } from './request.ts';

const openById = (read: ReadField): Promise<void> => {
  location.hash = linkTo('requests', read('id'));
  return Promise.resolve();
};

/** Opens a request by its id, as a client or a log names it. */
const OpenById = (): VNode =>
  html`<${Form} submit="Open" onSubmit=${openById}>
    <${Field} name="id" label="Id of a request" required />
  <//>`;

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
