import {
  NotExecuted,
  type FunctionCallPart,
  type GenerationCall,
  type GenerationTool,
  type JsonObject,
} from '@tollgate/provider';
import type { AnswerOffer } from './answer-offer.ts';
import type { Directive } from './directives.ts';
import { exampleOfSchema } from './example-of-schema.ts';
import { callContext, callId } from './sandbox-context.ts';
import { textTokens } from './sandbox-usage.ts';
import { runSmallPython } from './small-python.ts';

type FunctionTool = Extract<GenerationTool, { kind: 'function' }>;

interface WantedCall {
  readonly name: string;
  readonly arguments: string;
}

/** The calls that are reported, or that the choice demands. */
export const proposeCalls = (call: GenerationCall, directives: readonly Directive[]): readonly FunctionCallPart[] => {
  if (call.toolChoice.kind === 'none') return [];
  const told = directives.filter((directive) => directive.kind === 'tool');
  const wanted: readonly WantedCall[] = told.length > 0 ? told : requiredCalls(call);
  const proposed = call.sampling.parallelToolCalls === false ? wanted.slice(0, 1) : wanted;
  return proposed.map(({ name, arguments: json }, index) => {
    const id = callId(call.operationId, index);
    return { kind: 'function_call', id, name, arguments: json, context: callContext(id, name) };
  });
};

/** A choice that demands a call gets one, until the function has answered: the model then has what it asked for. */
const requiredCalls = (call: GenerationCall): readonly WantedCall[] => {
  const { toolChoice } = call;
  if (toolChoice.kind !== 'required' && toolChoice.kind !== 'function') return [];
  const last = call.contents.findLast((content) => content.role === 'user')?.parts ?? [];
  if (last.some((part) => part.kind === 'function_response')) return [];
  const allowed = toolChoice.kind === 'function' ? [toolChoice.name] : toolChoice.names;
  const tool = call.tools
    .filter((each): each is FunctionTool => each.kind === 'function')
    .find(({ name }) => allowed === undefined || allowed.includes(name));
  if (tool === undefined) return [];
  return [{ name: tool.name, arguments: JSON.stringify(exampleOfSchema({ type: 'object', ...tool.parameters })) }];
};

/** All calls together: they fit the output limit, or none is proposed. */
export const callsOffer = (calls: readonly FunctionCallPart[]): AnswerOffer => ({
  parts: calls,
  unit: 'output_text_tokens',
  tokens: calls.reduce((sum, { name, arguments: json }) => sum + textTokens(name + json), 0),
});

const checkOffered = (call: GenerationCall, kind: Exclude<GenerationTool['kind'], 'function'>): void => {
  if (call.tools.some((tool) => tool.kind === kind)) return;
  throw new NotExecuted({ reason: 'invalid_request', cause: `${kind} is not offered` });
};

/** The programs that are reported, each with what it really gives. */
export const codeOffers = (call: GenerationCall, directives: readonly Directive[]): readonly AnswerOffer[] => {
  const told = directives.filter((directive) => directive.kind === 'code');
  if (told.length > 0) checkOffered(call, 'code_execution');
  return told.flatMap(({ code }, index) => {
    const run = runSmallPython(code);
    if (run === undefined) return [];
    const id = callId(`${call.operationId} code`, index);
    return {
      parts: [
        { kind: 'executable_code', id, language: 'PYTHON', code },
        { kind: 'code_execution_result', id, ...run },
      ],
      unit: 'output_text_tokens',
      tokens: textTokens(code),
      // The model reads what its program printed.
      besides: new Map([
        ['code_execution_runs', 1],
        ['tool_use_input_tokens', textTokens(run.output)],
      ]),
    };
  });
};

/** How many addresses of one text are read. */
const urlsMax = 20;

/** The different web addresses in a text, in order. */
const urlsOf = (text: string): readonly string[] =>
  [...new Set((text.match(/https?:\/\/[^\s"'<>[\]]+/g) ?? []).map((url) => url.replace(/[.,;:!?)]+$/, '')))].slice(
    0,
    urlsMax,
  );

/** The addresses that the URL context tool is asked to read; undefined without any. */
export const readUrls = (
  call: GenerationCall,
  directives: readonly Directive[],
  text: string,
): readonly string[] | undefined => {
  if (!directives.some(({ kind }) => kind === 'url')) return undefined;
  checkOffered(call, 'url_context');
  return urlsOf(text);
};

/** How the contract tells which addresses were read. */
export const urlAnnotations = (urls: readonly string[]): JsonObject => ({
  urlContextMetadata: {
    urlMetadata: urls.map((retrievedUrl) => ({ retrievedUrl, urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS' })),
  },
});
