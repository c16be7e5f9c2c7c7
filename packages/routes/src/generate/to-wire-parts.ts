import type { ModelPart, Part } from '@tollgate/provider';

/** The parts of an answer as the contract writes them. */
export interface WireParts {
  readonly parts: readonly object[];
  /** Whether a proposed call was left out because its arguments are no JSON object. */
  readonly malformed: boolean;
}

const modifiersOf = ({ thought, context }: ModelPart): object => ({
  ...(thought === true ? { thought } : {}),
  ...(context === undefined || context === '' ? {} : { thoughtSignature: context }),
});

/** The arguments of a call, or null where they are no object. */
const argsOf = (text: string): object | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
};

const codeOutcomes = {
  ok: 'OUTCOME_OK',
  failed: 'OUTCOME_FAILED',
  deadline_exceeded: 'OUTCOME_DEADLINE_EXCEEDED',
} as const;

/** One part, or null where a call's arguments are no JSON object. */
const toWirePart = (part: Part): object | null => {
  switch (part.kind) {
    case 'text':
      // Nearly every piece of a stream is this.
      if (part.thought !== true && part.context === undefined) return { text: part.text };
      return { text: part.text, ...modifiersOf(part) };
    case 'media':
      return { inlineData: { mimeType: part.mimeType, data: part.data }, ...modifiersOf(part) };
    case 'function_call': {
      const args = argsOf(part.arguments);
      return args === null ? null : { functionCall: { id: part.id, name: part.name, args }, ...modifiersOf(part) };
    }
    case 'executable_code': {
      const { id, language, code } = part;
      return { executableCode: { ...(id === undefined ? {} : { id }), language, code }, ...modifiersOf(part) };
    }
    case 'code_execution_result': {
      const { id, outcome, output } = part;
      const result = { ...(id === undefined ? {} : { id }), outcome: codeOutcomes[outcome], output };
      return { codeExecutionResult: result, ...modifiersOf(part) };
    }
    case 'blob':
    case 'function_response':
      throw new TypeError(`a model does not answer with a part of kind ${part.kind}`);
  }
};

/** What an answer cites stands beside its parts. */
const isOnlyCitation = (part: Part): boolean =>
  part.kind === 'text' && part.text === '' && part.annotations !== undefined && part.context === undefined;

/** Throws for parts that no answer may hold. */
export const toWireParts = (parts: readonly Part[]): WireParts => {
  const wire: object[] = [];
  let malformed = false;
  for (const part of parts) {
    const written = toWirePart(part);
    if (written === null) malformed = true;
    else if (!isOnlyCitation(part)) wire.push(written);
  }
  return { parts: wire, malformed };
};
