import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { api } from '../api.ts';
import { Choice } from '../dialog.ts';
import { html } from '../html.ts';
import type { Page } from '../more-pages.ts';
import type { Project } from '../records.ts';
import { Shown } from '../shown.ts';
import { useData } from '../use-data.ts';

interface ProjectChoiceProps {
  readonly value: string;
  readonly onChange: (projectId: string) => void;
}

/** Chooses one of the newest projects; the only one is chosen at once. */
export const ProjectChoice = ({ value, onChange }: ProjectChoiceProps): VNode => {
  const [projects] = useData('project choice', () => api.get<Page<Project>>('projects'));
  const only = projects.kind === 'ready' && projects.value.data.length === 1 ? projects.value.data[0] : undefined;
  useEffect(() => {
    if (only !== undefined && value === '') onChange(only.id);
  }, [only, value, onChange]);
  return html`<${Shown} data=${projects}>
    ${({ data }: Page<Project>) =>
      html`<div class="row">
        <${Choice}
          name="project"
          label="Project"
          value=${value}
          onChange=${onChange}
          options=${[['', 'choose…'], ...data.map(({ id, name }) => [id, name])]}
        />
      </div>`}
  <//>`;
};
