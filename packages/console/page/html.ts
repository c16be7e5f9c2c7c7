import htm from 'htm';
import { Fragment, h, type VNode } from 'preact';

const bound = htm.bind(h);

/** Markup as nodes: a template is never a string of HTML, so that no text becomes markup. */
export const html = (strings: TemplateStringsArray, ...values: readonly unknown[]): VNode => {
  const node = bound(strings, ...values);
  return Array.isArray(node) ? h(Fragment, null, node) : node;
};
