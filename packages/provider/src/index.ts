export type { Content, FunctionCallPart, FunctionResponsePart, MediaPart, Part } from './content.ts';
export type {
  FinishReason,
  Generation,
  GenerationCall,
  GenerationTool,
  JsonObject,
  ResponseFormat,
  Sampling,
  ToolChoice,
} from './generation.ts';
export { isNotExecuted, NotExecuted, type NotExecutedOptions, type NotExecutedReason } from './not-executed.ts';
export type { Attempt, CallContext, Provider } from './provider.ts';
export { usageUnits, type Usage, type UsageUnit } from './usage.ts';
