import { z } from 'zod';
import { JsonRecord } from '../json/json-record.ts';
import { MediaData } from '../media/lifted-data.ts';
import { chatBounds, generateBounds } from '../limits.ts';
import { PartialArgs } from './partial-args.ts';

const { textFieldCharsMax, signatureCharsMax } = generateBounds;
const id = z.string().min(1).max(textFieldCharsMax).exactOptional();
const name = z.string().min(1).max(chatBounds.nameCharsMax);

// generate:thought-signature
/** What a part of the model's turn carries beside its content, to be sent back unchanged. */
const modifiers = {
  thought: z.boolean().exactOptional(),
  thoughtSignature: z.string().min(1).max(signatureCharsMax).exactOptional(),
};

const TextPart = z.strictObject({ text: z.string(), ...modifiers });
const InlineDataPart = z.strictObject({
  inlineData: z.strictObject({ mimeType: z.string(), data: MediaData }),
  ...modifiers,
});
const FileDataPart = z.strictObject({ fileData: z.strictObject({ fileUri: z.string() }) });
const CompatFileDataPart = z.strictObject({
  fileData: z.strictObject({ fileUri: z.string(), mimeType: z.string().exactOptional() }),
});
const FunctionCallPart = z.strictObject({
  functionCall: z.strictObject({ id, name, args: JsonRecord.exactOptional() }),
  ...modifiers,
});
/** Arguments that came in pieces are joined; a call that is still to be continued is none yet. */
const CompatFunctionCallPart = z.strictObject({
  functionCall: z.strictObject({
    id,
    name,
    args: JsonRecord.exactOptional(),
    partialArgs: PartialArgs.exactOptional(),
    willContinue: z.literal(false).exactOptional(),
  }),
  ...modifiers,
});
const FunctionResponsePart = z.strictObject({ functionResponse: z.strictObject({ id, name, response: JsonRecord }) });

/** How a run of the model's own code ended. */
export const codeOutcomes = ['OUTCOME_OK', 'OUTCOME_FAILED', 'OUTCOME_DEADLINE_EXCEEDED'] as const;
export type CodeOutcome = (typeof codeOutcomes)[number];

const ExecutableCodePart = z.strictObject({
  executableCode: z.strictObject({ id, language: z.string().min(1).max(textFieldCharsMax), code: z.string() }),
  ...modifiers,
});
const CodeExecutionResultPart = z.strictObject({
  codeExecutionResult: z.strictObject({ id, outcome: z.enum(codeOutcomes), output: z.string().default('') }),
  ...modifiers,
});

// generate:part:kinds
/** The parts of the contract, by the member that tells them apart. */
export const strictParts = {
  text: TextPart,
  inlineData: InlineDataPart,
  fileData: FileDataPart,
  functionCall: FunctionCallPart,
  functionResponse: FunctionResponsePart,
} as const;

/** The same with what the compatibility option adds: histories that hold what the model ran. */
export const compatParts = {
  ...strictParts,
  fileData: CompatFileDataPart,
  functionCall: CompatFunctionCallPart,
  executableCode: ExecutableCodePart,
  codeExecutionResult: CodeExecutionResultPart,
} as const;

export const StrictGeneratePart = z.union([
  TextPart,
  InlineDataPart,
  FileDataPart,
  FunctionCallPart,
  FunctionResponsePart,
]);

/** What a part of a returned turn brings back. */
export interface GenerateModifiers {
  readonly thought?: true;
  readonly thoughtSignature?: string;
}

/** A checked part: media is of the type it names and complete, a file id is a bare uuid. */
export type GeneratePart =
  | (GenerateModifiers & { readonly kind: 'text'; readonly text: string })
  | (GenerateModifiers & { readonly kind: 'media'; readonly mimeType: string; readonly data: MediaData })
  /** `mimeType` is what the client believes the file to be; only with the compatibility option. */
  | { readonly kind: 'file'; readonly fileId: string; readonly mimeType?: string }
  | (GenerateModifiers & {
      readonly kind: 'function_call';
      readonly id?: string;
      readonly name: string;
      readonly args: JsonRecord;
    })
  | { readonly kind: 'function_response'; readonly id?: string; readonly name: string; readonly response: JsonRecord }
  | (GenerateModifiers & {
      readonly kind: 'executable_code';
      readonly id?: string;
      readonly language: string;
      readonly code: string;
    })
  | (GenerateModifiers & {
      readonly kind: 'code_execution_result';
      readonly id?: string;
      readonly outcome: CodeOutcome;
      readonly output: string;
    });
