/** Where an operation's answer lies that is too large for its row. */
export const answerBlobKey = (operationId: string): string => `answers/${operationId}`;
