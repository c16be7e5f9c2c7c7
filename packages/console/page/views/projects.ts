import type { VNode } from 'preact';
import { html } from '../html.ts';
import type { ViewProps } from '../section.ts';
import { ProjectList } from './project-list.ts';
import { ProjectView } from './project.ts';

/** All projects that the visitor may see, or the one that the address names. */
export const ProjectsView = ({ place, visitor }: ViewProps): VNode => {
  const id = place.parts[1];
  if (id !== undefined) return html`<${ProjectView} key=${id} id=${id} visitor=${visitor} />`;
  const own = visitor.role === 'owner' ? visitor.account_id : null;
  return html`<h1>Projects</h1>
    <${ProjectList} accountId=${own} />`;
};
