import { isRecord } from '@tollgate/contract';
import { noEarlyCitations, withEarlyCitations, type EarlyCitations } from '../../generation/early-citations.ts';
import type { AnswerHead } from '../../generation/generation-dialect.ts';
import type { AnswerMedia, AnswerPart, AnswerText } from '../../generation/kept-answer.ts';
import { imageItem } from './image-tool.ts';
import { customInput } from './custom-input.ts';
import type { DeclaredName } from './read-tools.ts';
import { present } from '../../../present.ts';
import { annotationsOf, isShown, toolItem, toolPrefix, type ShownCall } from './tool-items.ts';

type Call = Extract<AnswerPart, { readonly kind: 'function_call' }>;

/** Parts of an answer that are one item of a response. */
export type ItemParts =
  | ({ readonly kind: 'message' } & OpenMessage)
  | { readonly kind: 'reasoning'; readonly text: string; readonly sealed: string | null }
  | { readonly kind: 'call'; readonly call: Call }
  | { readonly kind: 'code'; readonly code: string; readonly output: string | null }
  | { readonly kind: 'image'; readonly image: AnswerMedia }
  | { readonly kind: 'tool'; readonly call: ShownCall };

/** A message so far. `before` counts the visible text of the answer that came before it. */
export interface OpenMessage {
  readonly text: string;
  readonly annotations: readonly object[];
  readonly before: number;
}

/** A message with more text, and what that cites. */
export const withText = ({ text, annotations, before }: OpenMessage, part: AnswerText): OpenMessage => {
  const all = text + part.text;
  if (part.annotations === undefined) return { text: all, annotations, before };
  return { text: all, annotations: [...annotations, ...annotationsOf({ text: all, before }, part)], before };
};

const addText = (items: ItemParts[], early: EarlyCitations, part: AnswerText): void => {
  const last = items.at(-1);
  const citing = withEarlyCitations(early, part, last?.kind === 'message');
  if (citing === null) return;
  if (last?.kind === 'message') items.splice(-1, 1, { kind: 'message', ...withText(last, citing) });
  else {
    const before = items.reduce((sum, item) => sum + (item.kind === 'message' ? item.text.length : 0), 0);
    items.push({ kind: 'message', ...withText({ text: '', annotations: [], before }, citing) });
  }
};

const addThought = (items: ItemParts[], { text, context }: AnswerText): void => {
  const last = items.at(-1);
  const sealed = context ?? null;
  if (last?.kind === 'reasoning' && last.sealed === null)
    items.splice(-1, 1, { ...last, text: last.text + text, sealed });
  else if (text !== '' || sealed !== null) items.push({ kind: 'reasoning', text, sealed });
};

/** Texts that follow each other are one message, and thoughts one reasoning, which its state ends. */
const itemsOf = (parts: readonly AnswerPart[]): readonly ItemParts[] => {
  const items: ItemParts[] = [];
  const early = noEarlyCitations();
  for (const part of parts) {
    const last = items.at(-1);
    if (part.kind === 'text' && part.thought === true) addThought(items, part);
    else if (part.kind === 'text') addText(items, early, part);
    else if (part.kind === 'function_call') items.push({ kind: 'call', call: part });
    else if (part.kind === 'media') items.push({ kind: 'image', image: part });
    else if (part.kind === 'executable_code') items.push({ kind: 'code', code: part.code, output: null });
    else if (part.kind === 'tool_call') {
      if (isShown(part)) items.push({ kind: 'tool', call: part });
    } else if (last?.kind === 'code') items.splice(-1, 1, { ...last, output: part.output });
    else items.push({ kind: 'code', code: '', output: part.output });
  }
  return items;
};

const prefixes = { message: 'msg', reasoning: 'rs', call: 'fc', code: 'ci', image: 'ig' } as const;

/** What tells an item apart beside its place. */
type ItemName = keyof typeof prefixes | ItemParts;

const prefixOf = (name: ItemName): string => {
  if (typeof name === 'string') return prefixes[name];
  return name.kind === 'tool' ? toolPrefix(name.call) : prefixes[name.kind];
};

/** An id that tells of which response the item is, and its place there. */
export const itemId = ({ id }: Pick<AnswerHead, 'id'>, name: ItemName, index: number): string =>
  `${prefixOf(name)}_${id}_${index}`;

const itemIdShape = /^[a-z]+_([\da-f-]{36})_(\d{1,5})$/;

/** The response and the place that the id of an item names; null for another id. */
export const placeOfItem = (id: string): { readonly responseId: string; readonly index: number } | null => {
  const [, responseId, index] = itemIdShape.exec(id) ?? [];
  return responseId === undefined ? null : { responseId, index: Number(index) };
};

export const textPart = (text: string, annotations: readonly object[] = []) => ({
  type: 'output_text',
  text,
  annotations,
  logprobs: [],
});
export const summaryPart = (text: string) => ({ type: 'summary_text', text });

const declaredName = ({ echo }: AnswerHead, name: string): DeclaredName => {
  const names = echo['names'];
  const declared = isRecord(names) ? names[name] : undefined;
  if (!isRecord(declared)) return {};
  const { custom, namespace } = declared;
  return {
    ...present('custom', custom === true ? custom : null),
    ...present('namespace', typeof namespace === 'string' ? namespace : null),
  };
};

const callItem = (head: AnswerHead, { id, name, arguments: text }: Call) => {
  const { custom, namespace } = declaredName(head, name);
  const called = { call_id: id, name, ...present('namespace', namespace) };
  return custom === true
    ? { type: 'custom_tool_call', ...called, input: customInput(text) }
    : { type: 'function_call', ...called, arguments: text };
};

const includedIn = ({ echo }: AnswerHead): readonly unknown[] =>
  Array.isArray(echo['include']) ? echo['include'] : [];

const bareItem = (head: AnswerHead, item: ItemParts): object => {
  switch (item.kind) {
    case 'message':
      return { type: 'message', role: 'assistant', content: [textPart(item.text, item.annotations)] };
    case 'reasoning':
      return {
        type: 'reasoning',
        summary: item.text === '' ? [] : [summaryPart(item.text)],
        encrypted_content: item.sealed,
      };
    case 'call':
      return callItem(head, item.call);
    case 'code':
      return {
        type: 'code_interpreter_call',
        code: item.code,
        container_id: `cntr_${head.id}`,
        outputs: item.output === null ? null : [{ type: 'logs', logs: item.output }],
      };
    case 'image':
      return imageItem(head, item.image);
    case 'tool':
      return toolItem(item.call, includedIn(head));
  }
};

/** A whole item of a response. */
export const outputItem = (head: AnswerHead, item: ItemParts, index: number): object => ({
  id: itemId(head, item, index),
  status: 'completed',
  ...bareItem(head, item),
});

/** All items of a response. */
export const outputItems = (head: AnswerHead, parts: readonly AnswerPart[]): readonly object[] =>
  itemsOf(parts).map((item, index) => outputItem(head, item, index));
