import { isNotExecuted, type Content, type MediaPart, type BlobPart, type Part } from '@tollgate/provider';
import type { Engine } from '../../engine.ts';
import { readBlob } from '../../operations/pending-blobs.ts';
import { toMediaPart } from '../stored-media.ts';
import type { StoredContent, StoredStep } from './stored-step.ts';

/** Steps that were written by one author, or came in. */
export interface StepGroup {
  readonly steps: readonly StoredStep[];
  /** Whether the model that is asked now wrote them: opaque states mean nothing to another one. */
  readonly isOwn: boolean;
  /** Whether they belong to an earlier interaction, whose files may have gone since. */
  readonly isPast: boolean;
}

interface Owner {
  readonly projectId: string;
  readonly provider: string;
}

type Role = Content['role'];
type Placed = readonly [Role, Part];

const ownContext = ({ isOwn }: StepGroup, context: string | undefined): { readonly context?: string } =>
  isOwn && context !== undefined ? { context } : {};

const goneText = '[A file of an earlier turn is no longer available.]';

const toGivenPart = async (
  engine: Engine,
  owner: Owner,
  content: Extract<StoredContent, { readonly kind: 'given' }>,
  { isPast }: StepGroup,
): Promise<MediaPart | BlobPart | { readonly kind: 'text'; readonly text: string }> => {
  try {
    const part = await toMediaPart(engine, owner, content.media);
    return { ...part, ...content.about };
  } catch (cause) {
    if (isPast && isNotExecuted(cause)) return { kind: 'text', text: goneText };
    throw cause;
  }
};

const toPart = async (engine: Engine, owner: Owner, content: StoredContent, group: StepGroup): Promise<Part> => {
  switch (content.kind) {
    case 'text':
      return { kind: 'text', text: content.text, ...ownContext(group, content.context) };
    case 'given':
      return toGivenPart(engine, owner, content, group);
    case 'made': {
      const { mimeType, sizeBytes, blobKey, context } = content;
      const read = () => readBlob(engine, blobKey);
      return { kind: 'blob', mimeType, sizeBytes, read, ...ownContext(group, context) };
    }
  }
};

/** What models take as the result of a function: text. */
const toldResult = (result: unknown, isError: boolean | undefined): string => {
  const text = typeof result === 'string' ? result : JSON.stringify(result ?? null);
  return isError === true && typeof result === 'string' ? JSON.stringify({ error: result }) : text;
};

type ToolCall = Extract<StoredStep, { readonly kind: 'tool_call' }>;
type ToolResult = Extract<StoredStep, { readonly kind: 'tool_result' }>;

const textAt = (value: unknown, name: string): string => {
  const member: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return typeof member === 'string' ? member : '';
};

/** A tool that the provider ran; of code it wants to see again what it wrote, of other tools nothing. */
const nativeCall = (call: ToolCall, group: StepGroup): readonly Placed[] => {
  if (call.tool !== 'code_execution') return [];
  const code = textAt(call.arguments, 'code');
  const language = textAt(call.arguments, 'language').toUpperCase();
  return [['model', { kind: 'executable_code', id: call.id, language, code, ...ownContext(group, call.context) }]];
};

const nativeResult = ({ tool, callId, result, isError }: ToolResult): readonly Placed[] =>
  tool === 'code_execution'
    ? [
        [
          'model',
          {
            kind: 'code_execution_result',
            id: callId,
            outcome: isError === true ? 'failed' : 'ok',
            output: typeof result === 'string' ? result : JSON.stringify(result),
          },
        ],
      ]
    : [];

const unanswered = 'The call was not carried out.';

/** Puts steps together as turns: parts of one side that follow each other are one turn. */
const createTurns = (groups: readonly StepGroup[]) => {
  const turns: { readonly role: Role; readonly parts: Part[] }[] = [];
  const names = new Map<string, string>();
  const answered = new Set<string>();
  for (const { steps } of groups)
    for (const step of steps)
      if (step.kind === 'function_result' || step.kind === 'tool_result') answered.add(step.callId);
  let open: Part[] = [];
  const push = (role: Role, part: Part): void => {
    const last = turns.at(-1);
    if (last?.role === role) last.parts.push(part);
    else turns.push({ role, parts: [part] });
  };
  /** No model takes a call that nothing answers, once something else is said. */
  const answerOpen = (): void => {
    const parts = open;
    open = [];
    for (const part of parts) push('user', part);
  };
  return {
    turns,
    add: ([role, part]: Placed): void => {
      if (role === 'user') answerOpen();
      push(role, part);
    },
    call: (id: string, name: string): void => {
      names.set(id, name);
      if (!answered.has(id)) open.push({ kind: 'function_response', id, name, response: toldResult(unanswered, true) });
    },
    nameOf: (id: string): string => names.get(id) ?? '',
    end: answerOpen,
  };
};

type Turns = ReturnType<typeof createTurns>;

const addCall = (
  turns: Turns,
  group: StepGroup,
  call: { id: string; name: string; json: string; context?: string },
) => {
  const { id, name, json, context } = call;
  turns.call(id, name);
  turns.add(['model', { kind: 'function_call', id, name, arguments: json, ...ownContext(group, context) }]);
};

const addStep = async (
  { engine, owner, turns }: { readonly engine: Engine; readonly owner: Owner; readonly turns: Turns },
  step: StoredStep,
  group: StepGroup,
): Promise<void> => {
  switch (step.kind) {
    case 'user_input':
    case 'model_output': {
      const role = step.kind === 'user_input' ? 'user' : 'model';
      for (const content of step.content) turns.add([role, await toPart(engine, owner, content, group)]);
      return;
    }
    case 'thought':
      if (group.isOwn)
        turns.add([
          'model',
          { kind: 'text', text: step.summary ?? '', thought: true, ...ownContext(group, step.context) },
        ]);
      return;
    case 'function_call':
      return addCall(turns, group, { ...step, json: step.arguments });
    case 'function_result': {
      const name = step.name ?? turns.nameOf(step.callId);
      const response = toldResult(step.result, step.isError);
      return turns.add(['user', { kind: 'function_response', id: step.callId, name, response }]);
    }
    case 'tool_call':
      if (step.called === undefined) for (const placed of nativeCall(step, group)) turns.add(placed);
      else addCall(turns, group, { ...step, name: step.called.name, json: step.called.arguments });
      return;
    case 'tool_result': {
      const name = turns.nameOf(step.callId);
      if (name === '') for (const placed of nativeResult(step)) turns.add(placed);
      else {
        const response = step.told ?? toldResult(step.result, step.isError);
        turns.add(['user', { kind: 'function_response', id: step.callId, name, response }]);
      }
    }
  }
};

/** Steps as the turns that a model is given. Throws `NotExecuted` where something that this interaction named has gone. */
export const toContents = async (
  engine: Engine,
  owner: Owner,
  groups: readonly StepGroup[],
): Promise<readonly Content[]> => {
  const turns = createTurns(groups);
  for (const group of groups) for (const step of group.steps) await addStep({ engine, owner, turns }, step, group);
  turns.end();
  return turns.turns;
};
