import type { VNode } from 'preact';
import { html } from './html.ts';

/** How a state looks; the word says it too, so that colour is never the only mark. */
const tones: Readonly<Record<string, string>> = {
  active: 'good',
  completed: 'good',
  delivered: 'good',
  settled: 'good',
  succeeded: 'good',
  failed: 'bad',
  blocked: 'bad',
  revoked: 'bad',
  closed: 'bad',
  uncertain: 'warn',
  paused: 'warn',
  inactive: 'warn',
  pending: 'busy',
  running: 'busy',
  queued: 'busy',
  settling: 'busy',
};

/** A state as a word with a mark. */
export const Status = ({ value }: { readonly value: string }): VNode =>
  html`<span class=${`status ${tones[value] ?? 'plain'}`}>${value}</span>`;
