import { createHash } from 'node:crypto';
import type { FunctionCallPart, GenerationCall } from '@tollgate/provider';

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 24);

/** The id of the nth call of an operation; the same operation always gets the same ids. */
export const callId = (operationId: string, index: number): string => `call_${digest(`${operationId} ${index}`)}`;

/** The opaque state of a call, which names it; only an unchanged copy of it is worth anything. */
export const callContext = (id: string, name: string): string => `sandbox.${id}.${digest(`context ${id} ${name}`)}`;

const named = /^sandbox\.(call_[\w-]{24})\./;

/** Clients of the contents form may leave ids out, and get others by place: then the state alone says which call it was. */
const isUnchanged = ({ id, name, context = '' }: FunctionCallPart): boolean => {
  const own = named.exec(context)?.[1];
  const same = own === id || !id.startsWith('call_');
  return own !== undefined && same && context === callContext(own, name);
};

/** What became of the contexts that the sandbox had given out: `none` where the history holds no calls. */
export type ContextReport = 'none' | 'ok' | 'missing' | 'altered';

/** Looks at every call that came back in the history. */
export const reportContexts = (call: GenerationCall): ContextReport => {
  const calls = call.contents
    .filter((content) => content.role === 'model')
    .flatMap((content) => content.parts.filter((part): part is FunctionCallPart => part.kind === 'function_call'));
  if (calls.length === 0) return 'none';
  if (calls.some((part) => part.context === undefined)) return 'missing';
  return calls.every(isUnchanged) ? 'ok' : 'altered';
};
