/** A fault that is planted into a source while tests run, and the test that must fail then. */
export interface Mutant {
  /** What is wrong, as a sentence about the product. */
  readonly name: string;
  /** Below the root of the repository. */
  readonly file: string;
  /** Occurs in the file exactly once. */
  readonly search: string;
  readonly replace: string;
  readonly test: {
    readonly project: 'unit' | 'integration';
    readonly file: string;
    /** Part of the title of a test in the file, or of a case that the file runs. */
    readonly title: string;
    /** The file that holds the title, below the root, where the test file runs another file's cases. */
    readonly cases?: string;
  };
}
