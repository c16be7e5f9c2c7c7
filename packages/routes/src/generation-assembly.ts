import {
  appendText,
  createGrowingText,
  wholeText,
  type FunctionCallPart,
  type Generation,
  type GenerationEnd,
  type GrowingText,
  type JsonObject,
  type Part,
} from '@tollgate/provider';

/** The pieces of a streamed answer, put together while they come. */
export interface GenerationAssembly {
  readonly charsMax: number;
  chars: number;
  readonly parts: Part[];
  /** The text that the next piece may go on with; null where there is none. */
  text: GrowingText | null;
  isThought: boolean;
  /** What that text cites so far. */
  citations: JsonObject[];
}

/**
 * Keeps at most so many characters of text and base64. Two texts are one where both are answer or both are thought, and neither
 * brings a state that belongs to itself alone.
 */
export const createGenerationAssembly = (charsMax: number): GenerationAssembly => ({
  charsMax,
  chars: 0,
  parts: [],
  text: null,
  isThought: false,
  citations: [],
});

export const addParts = (assembly: GenerationAssembly, parts: readonly Part[]): void => {
  for (const part of parts) addPart(assembly, part);
};

/** The whole answer. Throws where it was larger than allowed: what is not kept cannot be replayed. */
export const finishAssembly = (assembly: GenerationAssembly, end: GenerationEnd): Generation => {
  const { chars, charsMax, parts } = assembly;
  if (chars > charsMax) throw new RangeError(`an answer has more than ${charsMax} characters`);
  closeText(assembly);
  return {
    ...end,
    text: parts.filter(isAnswerText).reduce((text, part) => text + part.text, ''),
    functionCalls: parts.filter((part): part is FunctionCallPart => part.kind === 'function_call'),
    parts,
  };
};

/** The answer so far, which may go on. */
export const partsSoFar = (assembly: GenerationAssembly): readonly Part[] => [...assembly.parts, ...openText(assembly)];

const openText = ({ text, isThought, citations }: GenerationAssembly): readonly Part[] =>
  text === null
    ? []
    : [
        {
          kind: 'text',
          text: wholeText(text),
          ...(isThought ? { thought: true } : {}),
          annotations: citations.length === 0 ? undefined : citations,
        },
      ];

const addPart = (assembly: GenerationAssembly, part: Part): void => {
  assembly.chars += sizeOf(part);
  if (assembly.chars > assembly.charsMax) return;
  if (part.kind !== 'text' || part.context !== undefined) {
    closeText(assembly);
    assembly.parts.push(part);
    return;
  }
  const isThought = part.thought === true;
  if (assembly.isThought !== isThought) closeText(assembly);
  assembly.isThought = isThought;
  assembly.text ??= createGrowingText();
  appendText(assembly.text, part.text);
  if (part.annotations !== undefined) assembly.citations.push(...part.annotations);
};

const closeText = (assembly: GenerationAssembly): void => {
  assembly.parts.push(...openText(assembly));
  assembly.text = null;
  assembly.citations = [];
};

const isAnswerText = (part: Part): part is Extract<Part, { kind: 'text' }> =>
  part.kind === 'text' && part.thought !== true;

const sizeOf = (part: Part): number => {
  switch (part.kind) {
    case 'text':
      return part.text.length + (part.annotations === undefined ? 0 : JSON.stringify(part.annotations).length);
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
