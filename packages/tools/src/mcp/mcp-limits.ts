/** What one server of a client may take. */
export interface McpLimits {
  /** For one request, to the end of its answer. */
  readonly requestMs: number;
  readonly answerBytesMax: number;
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
  toolsMax: 64,
  pagesMax: 8,
  descriptionCharsMax: 2_000,
  parametersCharsMax: 16_384,
  parametersCharsSum: 131_072,
  resultCharsMax: 100_000,
};
