/** Why one attempt failed. The message holds no address, key or answer's text, except a service's error code of letters. */
export class S3Failure extends Error {
  /** Whether the same request may succeed later. */
  readonly canRepeat: boolean;

  constructor(message: string, canRepeat: boolean, options?: ErrorOptions) {
    super(message, options);
    this.name = 'S3Failure';
    this.canRepeat = canRepeat;
  }
}

/** What a rejected fetch or a broken body means: a fault of the connection, unless we broke it off ourselves. */
export const toS3Failure = (cause: unknown): S3Failure =>
  cause instanceof S3Failure ? cause : new S3Failure('the connection failed', true, { cause });
