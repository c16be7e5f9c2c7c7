import {
  asArray,
  asObject,
  asText,
  type BlobPart,
  type JsonObject,
  type MediaPart,
  type Step,
  type StepContent,
  type UntrustedObject,
} from '@tollgate/provider';
import { neutral } from './annotations.ts';
import { toolOfStep } from './interaction-tools.ts';

/** Reads the bytes behind an address of the upstream. */
export type ReadUri = (uri: string) => AsyncIterable<Uint8Array>;

const mediaKinds: ReadonlySet<string> = new Set(['image', 'audio', 'video', 'document']);

const defaultTypes: Readonly<Record<string, string>> = {
  image: 'image/png',
  audio: 'audio/wav',
  video: 'video/mp4',
  document: 'application/octet-stream',
};

const readMedium = (content: UntrustedObject, kind: string, readUri: ReadUri): MediaPart | BlobPart | undefined => {
  const mimeType = asText(content['mime_type']) ?? defaultTypes[kind] ?? 'application/octet-stream';
  const data = asText(content['data']);
  if (data !== undefined) return { kind: 'media', mimeType, data };
  const uri = asText(content['uri']);
  // Its size is known by its bytes alone.
  return uri === undefined ? undefined : { kind: 'blob', mimeType, sizeBytes: 0, read: () => readUri(uri) };
};

const annotationTypes: ReadonlySet<string> = new Set(['url_citation', 'file_citation', 'place_citation', 'word_info']);

/** Addresses of files are the upstream's own. */
const readAnnotation = (value: unknown): readonly JsonObject[] => {
  const { document_uri: _uri, ...annotation } = asObject(value) ?? {};
  if (!annotationTypes.has(asText(annotation['type']) ?? '')) return [];
  const kept = asObject(neutral(annotation));
  return kept === undefined ? [] : [kept];
};

const readText = (content: UntrustedObject): StepContent => {
  const annotations = asArray(content['annotations']).flatMap(readAnnotation);
  const { text } = content;
  return {
    kind: 'text',
    text: typeof text === 'string' ? text : '',
    ...(annotations.length === 0 ? {} : { annotations }),
  };
};

const readContent = (value: unknown, readUri: ReadUri): readonly StepContent[] => {
  const content = asObject(value) ?? {};
  const type = asText(content['type']) ?? '';
  if (type === 'text') return [readText(content)];
  const medium = mediaKinds.has(type) ? readMedium(content, type, readUri) : undefined;
  return medium === undefined ? [] : [medium];
};

const stateOf = (step: UntrustedObject): { readonly context?: string } => {
  const signature = asText(step['signature']);
  // What is no text could not be stored.
  return signature === undefined || !signature.isWellFormed() ? {} : { context: signature };
};

const readThought = (step: UntrustedObject): readonly Step[] => {
  const given = step['summary'];
  const texts =
    typeof given === 'string' ? [given] : asArray(given).flatMap((part) => asText(asObject(part)?.['text']) ?? []);
  const summary = texts.join('\n');
  const state = stateOf(step);
  if (summary === '' && state.context === undefined) return [];
  return [{ kind: 'thought', ...(summary === '' ? {} : { summary }), ...state }];
};

const readFunctionCall = (step: UntrustedObject): readonly Step[] => {
  const id = asText(step['id']);
  const name = asText(step['name']);
  if (id === undefined || name === undefined) return [];
  const args = JSON.stringify(asObject(step['arguments']) ?? {});
  return [{ kind: 'function_call', id, name, arguments: args, ...stateOf(step) }];
};

/** What is page furniture, or names the upstream, is left out. */
const neutralObject = (value: unknown): JsonObject => asObject(neutral(asObject(value) ?? {})) ?? {};

const readToolCall = (step: UntrustedObject, name: string): readonly Step[] => {
  const tool = toolOfStep(name);
  const id = asText(step['id']);
  if (tool === undefined || id === undefined) return [];
  const args = neutralObject(step['arguments']);
  const { name: own, server_name } = step;
  const named = tool === 'mcp_server' ? { name: own, server_name, arguments: args } : args;
  return [{ kind: 'tool_call', tool, id, arguments: named, ...stateOf(step) }];
};

const readToolResult = (step: UntrustedObject, name: string): readonly Step[] => {
  const tool = toolOfStep(name);
  const callId = asText(step['call_id']);
  if (tool === undefined || callId === undefined) return [];
  const result = step['result'] === undefined ? null : neutral(step['result']);
  return [{ kind: 'tool_result', tool, callId, result, ...(step['is_error'] === true ? { isError: true } : {}) }];
};

const readStep = (value: unknown, readUri: ReadUri): readonly Step[] => {
  const step = asObject(value) ?? {};
  const type = asText(step['type']) ?? '';
  switch (type) {
    case 'model_output':
      return [
        { kind: 'model_output', content: asArray(step['content']).flatMap((content) => readContent(content, readUri)) },
      ];
    case 'thought':
      return readThought(step);
    case 'function_call':
      return readFunctionCall(step);
    default: {
      // What went in is known already, and what the contract does not know is left out.
      const [, name = '', end] = /^(.+)_(call|result)$/.exec(type) ?? [];
      if (end === undefined || name === 'function') return [];
      return end === 'call' ? readToolCall(step, name) : readToolResult(step, name);
    }
  }
};

/** Reads the steps of an interaction in order. Absent members are read as empty. */
export const fromGoogleSteps = (steps: unknown, readUri: ReadUri): readonly Step[] =>
  asArray(steps).flatMap((step) => readStep(step, readUri));
