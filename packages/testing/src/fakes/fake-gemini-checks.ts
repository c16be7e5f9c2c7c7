import { listOf, recordOf, type WireRecord } from './fake-gemini-wire.ts';

/** An error that the upstream answers instead. */
export interface FakeGeminiRefusal {
  readonly code: number;
  readonly status: string;
  readonly message: string;
}

const requestFields = new Set([
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'safetySettings',
  'cachedContent',
  'generationConfig',
  'continuationToken',
]);
const configFields = new Set([
  'temperature',
  'topP',
  'topK',
  'candidateCount',
  'maxOutputTokens',
  'stopSequences',
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
  'responseModalities',
  'mediaResolution',
  'thinkingConfig',
  'imageConfig',
  'speechConfig',
]);
const dataFields = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
] as const;

const invalid = (message: string): FakeGeminiRefusal => ({ code: 400, status: 'INVALID_ARGUMENT', message });

const unknownField = (record: WireRecord, known: ReadonlySet<string>): FakeGeminiRefusal | undefined => {
  const name = Object.keys(record).find((key) => !known.has(key));
  return name === undefined ? undefined : invalid(`Unknown name "${name}": Cannot find field.`);
};

/** Whether a schema says `const` where a schema may stand; a property may be called so. */
const saysConst = (value: unknown): boolean => {
  const { const: found, properties, items, anyOf, $defs } = recordOf(value);
  const inner = [...Object.values(recordOf(properties)), ...Object.values(recordOf($defs)), ...listOf(anyOf), items];
  return found !== undefined || inner.some((schema) => schema !== undefined && saysConst(schema));
};

const checkConfig = (value: unknown): FakeGeminiRefusal | undefined => {
  const config = recordOf(value);
  const schema = config['responseJsonSchema'];
  if (schema !== undefined && saysConst(schema)) return invalid('const is not supported in a response schema.');
  return unknownField(config, configFields);
};

interface Sender {
  readonly model: string;
  readonly knowsFile: (uri: string) => boolean;
}

const checkPart = (value: unknown, { model, knowsFile }: Sender): FakeGeminiRefusal | undefined => {
  const part = recordOf(value);
  const data = dataFields.filter((name) => part[name] !== undefined);
  if (data.length !== 1) return invalid('contents.parts must have one initialized field.');
  const response = recordOf(part['functionResponse'])['response'];
  if (data[0] === 'functionResponse' && recordOf(response) !== response) return invalid('response must be a Struct.');
  const needsSignature = data[0] === 'functionCall' && /gemini-[3-9]/.test(model);
  if (needsSignature && part['thoughtSignature'] === undefined) {
    return invalid('Function call is missing a thought_signature in functionCall parts.');
  }
  const uri = recordOf(part['fileData'])['fileUri'];
  if (typeof uri !== 'string' || knowsFile(uri)) return undefined;
  const message = `You do not have permission to access the File ${uri} or it may not exist.`;
  return { code: 403, status: 'PERMISSION_DENIED', message };
};

/** Only the first call of a turn needs its signature. */
const checkParts = (parts: readonly unknown[], sender: Sender): FakeGeminiRefusal | undefined => {
  let signed = false;
  for (const part of parts) {
    const refusal = checkPart(signed ? { ...recordOf(part), thoughtSignature: 'x' } : part, sender);
    if (refusal !== undefined) return refusal;
    signed ||= recordOf(part)['functionCall'] !== undefined;
  }
  return undefined;
};

/** What the upstream would not take of a generation or a count. */
export const checkFakeGemini = (body: unknown, sender: Sender): FakeGeminiRefusal | undefined => {
  const request = recordOf(body);
  const contents = listOf(request['contents']);
  if (contents.length === 0) return invalid('contents is not specified.');
  for (const content of contents) {
    const parts = listOf(recordOf(content)['parts']);
    if (parts.length === 0) return invalid('contents.parts must not be empty.');
    const refusal = checkParts(parts, sender);
    if (refusal !== undefined) return refusal;
  }
  if (request['systemInstruction'] !== undefined && sender.model.startsWith('gemma-')) {
    return invalid(`Developer instruction is not enabled for models/${sender.model}`);
  }
  return unknownField(request, requestFields) ?? checkConfig(request['generationConfig']);
};
