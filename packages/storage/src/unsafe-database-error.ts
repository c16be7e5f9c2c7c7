/**
 * A database must not be used as it is set up: it would lose or contradict what it acknowledged. Each adapter names its own faults. `fault` is the name of what is wrong,
 * and the message says what to do.
 */
export class UnsafeDatabaseError<Fault extends string> extends Error {
  override readonly name = 'UnsafeServerError';
  readonly code = 'unsafe_database';
  readonly fault: Fault;
  constructor(fault: Fault, message: string) {
    super(message);
    this.fault = fault;
  }
}
