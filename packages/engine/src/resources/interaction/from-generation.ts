import { isRecord } from '@tollgate/contract';
import {
  generationParts,
  moveCitation,
  type BlobPart,
  type Generation,
  type JsonObject,
  type MediaPart,
  type Part,
} from '@tollgate/provider';
import type { RunName } from '../../tools/tool-runner.ts';
import { keepMade, type StepShelf } from './keep-steps.ts';
import type { DeclaredFunction } from './interaction-work.ts';
import type { CalledFunction, StoredContent, StoredStep, StoredText } from './stored-step.ts';

/** What one model round came to. */
export interface RoundSteps {
  readonly steps: readonly StoredStep[];
  /** A call was left out because its arguments are no JSON object. */
  readonly malformed: boolean;
}

export const jsonObjectOf = (text: string): JsonObject | null => {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
};

/** How a call of a declared function is shown: as the step of its tool. */
export type DescribeCall = (
  declared: DeclaredFunction,
  id: string,
  called: CalledFunction,
) => { readonly tool: RunName; readonly arguments: JsonObject } | null;

interface Reading {
  readonly shelf: StepShelf;
  readonly declared: ReadonlyMap<string, DeclaredFunction>;
  readonly describe: DescribeCall;
  readonly taken: Set<string>;
  readonly steps: StoredStep[];
  output: StoredContent[];
  /** Characters of the visible text so far, and of it those before the content that is being read. */
  readonly said: { chars: number; before: number };
  malformed: boolean;
}

const flush = (reading: Reading): void => {
  if (reading.output.length > 0) reading.steps.push({ kind: 'model_output', content: reading.output });
  reading.output = [];
};

const pushStep = (reading: Reading, step: StoredStep): void => {
  flush(reading);
  reading.steps.push(step);
};

const contextOf = ({ context }: { readonly context?: string }): { readonly context?: string } =>
  context === undefined ? {} : { context };

/** Ids tell calls apart over the whole interaction, whatever a model does. */
const freshId = (reading: Reading, id: string): string => {
  let fresh = id;
  for (let number = 2; reading.taken.has(fresh); number += 1) fresh = `${id}_${number}`;
  reading.taken.add(fresh);
  return fresh;
};

const readCall = (reading: Reading, part: Extract<Part, { readonly kind: 'function_call' }>): void => {
  const { name, arguments: json } = part;
  const declared = reading.declared.get(name);
  if (declared === undefined && jsonObjectOf(json) === null) {
    reading.malformed = true;
    return;
  }
  const id = freshId(reading, part.id);
  const shown = declared === undefined ? null : reading.describe(declared, id, { name, arguments: json });
  if (shown === null) pushStep(reading, { kind: 'function_call', id, name, arguments: json, ...contextOf(part) });
  else pushStep(reading, { kind: 'tool_call', id, ...shown, called: { name, arguments: json }, ...contextOf(part) });
};

/** What a content cites, counted within it. */
const citedBy = (
  { said }: Reading,
  { annotations = [] }: Extract<Part, { readonly kind: 'text' }>,
  before?: StoredText,
): Pick<StoredText, 'annotations'> => {
  if (annotations.length === 0) return {};
  const moved = annotations.map((annotation) => moveCitation(annotation, -said.before));
  return { annotations: [...(before?.annotations ?? []), ...moved] };
};

const readText = (reading: Reading, part: Extract<Part, { readonly kind: 'text' }>): void => {
  if (part.thought === true) {
    pushStep(reading, {
      kind: 'thought',
      ...(part.text === '' ? {} : { summary: part.text }),
      ...contextOf(part),
    });
    return;
  }
  if (part.text === '' && part.context === undefined && part.annotations === undefined) return;
  const last = reading.output.at(-1);
  const continues = last?.kind === 'text' && (part.text === '' || last.context === undefined);
  if (last?.kind === 'text' && continues && part.context === undefined)
    reading.output[reading.output.length - 1] = {
      ...last,
      text: last.text + part.text,
      ...citedBy(reading, part, last),
    };
  else {
    reading.said.before = reading.said.chars;
    reading.output.push({ kind: 'text', text: part.text, ...contextOf(part), ...citedBy(reading, part) });
  }
  reading.said.chars += part.text.length;
};

const readMedium = async (reading: Reading, part: MediaPart | BlobPart): Promise<void> => {
  // Images of a thought are not part of the answer.
  if (part.thought !== true) reading.output.push(await keepMade(reading.shelf, part));
};

const codeId = (reading: Reading, id: string | undefined): string =>
  freshId(reading, id ?? `code_${reading.taken.size + 1}`);

/** A result belongs to the last program that has none. */
const lastCode = ({ steps }: Reading): string | undefined => {
  const call = steps.findLast((step) => step.kind === 'tool_call' && step.tool === 'code_execution');
  return call?.kind === 'tool_call' ? call.id : undefined;
};

const readPart = async (reading: Reading, part: Part): Promise<void> => {
  switch (part.kind) {
    case 'text':
      return readText(reading, part);
    case 'media':
    case 'blob':
      return readMedium(reading, part);
    case 'function_call':
      return readCall(reading, part);
    case 'executable_code': {
      const args = { language: part.language.toLowerCase(), code: part.code };
      const id = codeId(reading, part.id);
      return pushStep(reading, { kind: 'tool_call', tool: 'code_execution', id, arguments: args, ...contextOf(part) });
    }
    case 'code_execution_result': {
      const callId = lastCode(reading) ?? part.id ?? '';
      const failed = part.outcome === 'ok' ? {} : { isError: true };
      return pushStep(reading, { kind: 'tool_result', tool: 'code_execution', callId, result: part.output, ...failed });
    }
    case 'function_response':
      throw new TypeError('a model does not answer with the result of a function');
  }
};

const listAt = (value: unknown, name: string): readonly unknown[] => {
  const member: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return Array.isArray(member) ? member : [];
};

const textAt = (value: unknown, name: string): string => {
  const member: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return typeof member === 'string' ? member : '';
};

/** Which addresses the provider read, which it tells beside the answer. */
const readUrls = (reading: Reading, { annotations }: Generation): readonly StoredStep[] => {
  const read = listAt(annotations?.['urlContextMetadata'], 'urlMetadata').map((entry) => ({
    url: textAt(entry, 'retrievedUrl'),
    status: textAt(entry, 'urlRetrievalStatus').replace('URL_RETRIEVAL_STATUS_', '').toLowerCase() || 'success',
  }));
  if (read.length === 0) return [];
  const id = freshId(reading, `url_context_${reading.taken.size + 1}`);
  return [
    { kind: 'tool_call', tool: 'url_context', id, arguments: { urls: read.map(({ url }) => url) } },
    { kind: 'tool_result', tool: 'url_context', callId: id, result: read },
  ];
};

/** The answer of one model round as steps, its media put aside. `taken` are the ids of the calls before it. */
export const fromGeneration = async (
  generation: Generation,
  options: Pick<Reading, 'shelf' | 'declared' | 'describe' | 'taken'>,
): Promise<RoundSteps> => {
  const reading: Reading = { ...options, steps: [], output: [], said: { chars: 0, before: 0 }, malformed: false };
  const urls = readUrls(reading, generation);
  for (const part of generationParts(generation)) await readPart(reading, part);
  flush(reading);
  return { steps: [...urls, ...reading.steps], malformed: reading.malformed };
};
