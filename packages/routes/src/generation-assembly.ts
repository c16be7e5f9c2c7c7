import type { FunctionCallPart, Generation, GenerationEnd, Part } from '@tollgate/provider';

/** The pieces of a streamed answer, put together while they come. */
export interface GenerationAssembly {
  add(parts: readonly Part[]): void;
  /** The whole answer. Throws where it was larger than allowed: what is not kept cannot be replayed. */
  finish(end: GenerationEnd): Generation;
}

const sizeOf = (part: Part): number => {
  switch (part.kind) {
    case 'text':
      return part.text.length;
    case 'media':
      return part.data.length;
    case 'blob':
      return 0;
    case 'function_call':
      return part.arguments.length;
    case 'function_response':
      return part.response.length;
    case 'executable_code':
      return part.code.length;
    case 'code_execution_result':
      return part.output.length;
  }
};

/** Two texts are one where both are answer or both are thought, and neither brings a state that belongs to itself alone. */
const joined = (last: Part | undefined, next: Part): Part | null => {
  if (last?.kind !== 'text' || next.kind !== 'text' || last.thought !== next.thought) return null;
  if (last.context !== undefined || next.context !== undefined) return null;
  return { ...last, text: last.text + next.text };
};

const isAnswerText = (part: Part): part is Extract<Part, { kind: 'text' }> =>
  part.kind === 'text' && part.thought !== true;

/** Keeps at most so many characters of text and base64. */
export const createGenerationAssembly = (charsMax: number): GenerationAssembly => {
  const parts: Part[] = [];
  let chars = 0;
  const add = (part: Part): void => {
    chars += sizeOf(part);
    if (chars > charsMax) return;
    const whole = joined(parts.at(-1), part);
    if (whole === null) parts.push(part);
    else parts[parts.length - 1] = whole;
  };
  return {
    add: (more) => {
      for (const part of more) add(part);
    },
    finish: (end) => {
      if (chars > charsMax) throw new RangeError(`an answer has more than ${charsMax} characters`);
      return {
        ...end,
        text: parts.filter(isAnswerText).reduce((text, part) => text + part.text, ''),
        functionCalls: parts.filter((part): part is FunctionCallPart => part.kind === 'function_call'),
        parts,
      };
    },
  };
};
