/** An optional package that the called part needs is not installed. Tell it by its code, `package_missing`. */
export class MissingPackageError extends Error {
  override readonly name = 'MissingPackageError';
  readonly code = 'package_missing';
  /** What to install. */
  readonly packageName: string;

  constructor(needer: string, packageName: string, cause: unknown) {
    super(`${needer} needs the package ${packageName}, which is not installed: npm install ${packageName}`, { cause });
    this.packageName = packageName;
  }
}

const isNotFound = (cause: unknown, packageName: string): boolean =>
  cause instanceof Error &&
  'code' in cause &&
  (cause.code === 'ERR_MODULE_NOT_FOUND' || cause.code === 'MODULE_NOT_FOUND') &&
  // A module that the package itself lacks is another fault.
  cause.message.includes(`'${packageName}`);

/** What to throw after a failed import of an optional package: the cause itself, unless the package is what was not found. */
export const missingPackage = (needer: string, packageName: string, cause: unknown): unknown =>
  isNotFound(cause, packageName) ? new MissingPackageError(needer, packageName, cause) : cause;
