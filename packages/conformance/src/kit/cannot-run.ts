/** Why nothing can be tried at all: the message says what to change. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun';
}
