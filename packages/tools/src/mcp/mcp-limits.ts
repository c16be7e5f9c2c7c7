import { optionsCheck, timerMs, whole } from '@tollgate/contract/configuration';

/** What one server of a client may take. */
export interface McpLimits {
  /** For one request, to the end of its answer. */
  readonly requestMs: number;
  readonly answerBytesMax: number;
  /** Requests of one connection; a connection lists the tools and makes at most one call. */
  readonly requestsMax: number;
  /** Bytes of all answers of one connection. */
  readonly answersBytesSum: number;
  /** Values and field names in all answers of one connection; a tenth may be field names that differ. */
  readonly answersNodesSum: number;
  /** Tools on all pages of one connection, and pieces of its result. */
  readonly entriesSum: number;
  readonly toolsMax: number;
  readonly pagesMax: number;
  readonly descriptionCharsMax: number;
  /** JSON of the parameters of one tool, and of all together. */
  readonly parametersCharsMax: number;
  readonly parametersCharsSum: number;
  /** Text of one result. */
  readonly resultCharsMax: number;
}

const mebibyte = 1024 * 1024;

export const defaultMcpLimits: McpLimits = {
  requestMs: 60_000,
  answerBytesMax: 4 * mebibyte,
  requestsMax: 16,
  answersBytesSum: 8 * mebibyte,
  answersNodesSum: 50_000,
  entriesSum: 512,
  toolsMax: 64,
  pagesMax: 8,
  descriptionCharsMax: 2_000,
  parametersCharsMax: 16_384,
  parametersCharsSum: 131_072,
  resultCharsMax: 100_000,
};

/** Every limit in its bounds. */
export const mcpLimitsCheck = optionsCheck<Partial<McpLimits>>({
  requestMs: timerMs({ min: 1 }),
  answerBytesMax: whole({ min: 1 }),
  requestsMax: whole({ min: 1 }),
  answersBytesSum: whole({ min: 1 }),
  answersNodesSum: whole({ min: 1 }),
  entriesSum: whole({ min: 1 }),
  toolsMax: whole(),
  pagesMax: whole({ min: 1 }),
  descriptionCharsMax: whole(),
  parametersCharsMax: whole(),
  parametersCharsSum: whole(),
  resultCharsMax: whole(),
});
