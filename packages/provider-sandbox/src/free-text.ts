import type { Content, GenerationCall, Part } from '@tollgate/provider';
import { exampleOfSchema } from './example-of-schema.ts';
import { reportContexts } from './sandbox-context.ts';
import { base64Bytes } from './sandbox-usage.ts';

/** How much of a user's text or of a function's result the summary repeats. */
const quotedCharactersMax = 200;

/** The parts of the last user turn. */
const lastUserParts = (call: GenerationCall): readonly Part[] =>
  call.contents.findLast((content) => content.role === 'user')?.parts ?? [];

/** Directives count in the last user turn only, so that a history can be sent again without them; of audio, in its context. */
export const lastUserText = (call: GenerationCall): string => {
  const { prompt } = call.transcription ?? {};
  const texts = lastUserParts(call).map((part) => (part.kind === 'text' ? part.text : ''));
  return (prompt === undefined ? texts : [...texts, prompt]).join('\n');
};

/** What stands for the words of audio, which the sandbox does not hear. */
const transcript = (call: GenerationCall): string => {
  const { language, translate } = call.transcription ?? {};
  const spoken = lastUserParts(call).map(describePart).join(' ');
  return `Sandbox transcript${language === undefined ? '' : ` in ${language}`}${translate === true ? ', in English' : ''}. ${spoken}`;
};

/** The answer of a call that does not tell its answer: an example of its schema, or a summary of at least so many words. */
export const freeText = (call: GenerationCall, wordsMin: number): string => {
  const { responseFormat } = call;
  if (call.transcription !== undefined) return transcript(call);
  if (responseFormat.kind === 'json_schema') return JSON.stringify(exampleOfSchema(responseFormat.schema));
  const summary = summarize(call);
  return responseFormat.kind === 'json_object' ? JSON.stringify({ reply: summary }) : lengthen(summary, wordsMin);
};

/** Counts on behind a text until it has so many words. */
const lengthen = (text: string, wordsMin: number): string => {
  const words = text.split(/\s+/).length;
  if (words >= wordsMin) return text;
  return [text, ...Array.from({ length: wordsMin - words }, (_, index) => index + 1)].join(' ');
};

/** Says what came in, so that an integrator sees what reached the model. */
const summarize = (call: GenerationCall): string => {
  const builtIn = call.tools.filter((tool) => tool.kind !== 'function').map((tool) => tool.kind);
  const turns = call.contents.length;
  const report = reportContexts(call);
  return [
    `Sandbox reply to ${turns} ${turns === 1 ? 'turn' : 'turns'}${call.systemInstruction === null ? '' : ' with a system instruction'}.`,
    ...lastUserParts(call).map(describePart),
    ...(builtIn.length > 0 ? [`Built-in tools offered: ${builtIn.join(', ')}.`] : []),
    ...(report === 'none' ? [] : [`context: ${report}.`]),
  ].join(' ');
};

const quote = (text: string): string =>
  text.length > quotedCharactersMax ? `"${text.slice(0, quotedCharactersMax)}…"` : `"${text}"`;

const describePart = (part: Content['parts'][number]): string => {
  switch (part.kind) {
    case 'text':
      return `Text of ${Buffer.byteLength(part.text)} bytes: ${quote(part.text)}.`;
    case 'media':
      return `Media ${part.mimeType} of ${base64Bytes(part.data)} bytes.`;
    case 'blob':
      return `Media ${part.mimeType} of ${part.sizeBytes} bytes.`;
    case 'function_call':
      return `Call of ${part.name}.`;
    case 'function_response':
      return `Result of ${part.name}: ${quote(part.response)}.`;
    case 'executable_code':
      return `Code: ${quote(part.code)}.`;
    case 'code_execution_result':
      return `Output: ${quote(part.output)}.`;
  }
};
