import type { VNode } from 'preact';
import { shortId } from './format.ts';
import { html } from './html.ts';
import { linkTo } from './router.ts';

const link = (section: string, id: string): VNode =>
  html`<a class="mono" href=${linkTo(section, id)} title=${id}>${shortId(id)}</a>`;

export const accountLink = (id: string): VNode => link('accounts', id);
export const projectLink = (id: string): VNode => link('projects', id);
export const requestLink = (id: string): VNode => link('requests', id);
