/** Thrown by a body that is read in chunks where it is too large, or ends before it is complete. Told by its code. */
export class BodyStopped extends Error {
  readonly code = 'body_stopped';
  readonly why: 'too_large' | 'incomplete';

  constructor(why: 'too_large' | 'incomplete') {
    super(`the body was ${why === 'too_large' ? 'too large' : 'incomplete'}`);
    this.name = 'BodyStopped';
    this.why = why;
  }
}

export const isBodyStopped = (cause: unknown): cause is BodyStopped =>
  cause instanceof Error && 'code' in cause && cause.code === 'body_stopped';
