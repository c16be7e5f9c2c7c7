import htm from 'htm';
import { h, type VNode } from 'preact';

/** Markup as nodes: a template is never a string of HTML, so that no text becomes markup. */
export const html = htm.bind(h) as (strings: TemplateStringsArray, ...values: unknown[]) => VNode;
