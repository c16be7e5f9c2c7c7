/** What the user can put right: its message says how. */
export class CreateError extends Error {
  readonly code = 'create_refused';
}

export const isCreateError = (cause: unknown): cause is CreateError =>
  cause instanceof Error && 'code' in cause && cause.code === 'create_refused';
