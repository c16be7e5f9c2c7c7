import {
  createGrowingText,
  type FunctionCallPart,
  type Generation,
  type GenerationEnd,
  type GrowingText,
  type Part,
  type TextPart,
} from '@tollgate/provider';

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

/** A text that the next piece may go on with. */
interface OpenText {
  readonly isThought: boolean;
  readonly text: GrowingText;
}

const toPart = ({ isThought, text }: OpenText): TextPart => ({
  kind: 'text',
  text: text.whole(),
  ...(isThought ? { thought: true } : {}),
});

const isAnswerText = (part: Part): part is Extract<Part, { kind: 'text' }> =>
  part.kind === 'text' && part.thought !== true;

/**
 * Keeps at most so many characters of text and base64. Two texts are one where both are answer or both are thought, and neither
 * brings a state that belongs to itself alone.
 */
export const createGenerationAssembly = (charsMax: number): GenerationAssembly => {
  const parts: Part[] = [];
  let open: OpenText | null = null;
  let chars = 0;
  const close = (): void => {
    if (open !== null) parts.push(toPart(open));
    open = null;
  };
  const add = (part: Part): void => {
    chars += sizeOf(part);
    if (chars > charsMax) return;
    if (part.kind !== 'text' || part.context !== undefined) {
      close();
      parts.push(part);
      return;
    }
    const isThought = part.thought === true;
    if (open?.isThought !== isThought) {
      close();
      open = { isThought, text: createGrowingText() };
    }
    open.text.append(part.text);
  };
  return {
    add: (more) => {
      for (const part of more) add(part);
    },
    finish: (end) => {
      if (chars > charsMax) throw new RangeError(`an answer has more than ${charsMax} characters`);
      close();
      return {
        ...end,
        text: parts.filter(isAnswerText).reduce((text, part) => text + part.text, ''),
        functionCalls: parts.filter((part): part is FunctionCallPart => part.kind === 'function_call'),
        parts,
      };
    },
  };
};
