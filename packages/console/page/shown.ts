import type { VNode } from 'preact';
import { html } from './html.ts';
import type { Loaded } from './use-data.ts';

interface ShownProps<T> {
  readonly data: Loaded<T>;
  readonly children: (value: T) => unknown;
}

/** What a view shows of its data: that it loads, why it failed, or the data. */
export const Shown = <T>({ data, children }: ShownProps<T>): VNode => {
  switch (data.kind) {
    case 'loading':
      return html`<p class="loading" role="status">Loading…</p>`;
    case 'failed':
      return html`<p class="refusal" role="alert">${data.error.message}</p>`;
    case 'ready':
      return html`<div class="shown">${children(data.value)}</div>`;
  }
};
