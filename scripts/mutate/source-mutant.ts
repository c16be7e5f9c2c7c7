/** How a mutant is written into the source of which it is a switch. */
export type MutantForm =
  /** An expression is another one. */
  | 'expression'
  /** A statement is not there. */
  | 'statement'
  /** An element of a list is not there. */
  | 'element'
  /** A member of an object is not there. */
  | 'member';

/** One change of one place of a source that its operator finds by itself. */
export interface Change {
  readonly operator: string;
  readonly form: MutantForm;
  /** The place, as positions in the text of the file. */
  readonly start: number;
  readonly end: number;
  /** What stands there instead; empty where something is left out. */
  readonly text: string;
}

/** A change of one file of the checkout. */
export interface SourceMutant extends Change {
  /** Below the root of the repository. */
  readonly file: string;
  readonly line: number;
  /** The function around it. */
  readonly within: string;
  /** What was there and what is there instead, in one line. */
  readonly change: string;
}

/** What tells a mutant from every other, however the lines of its file move. */
export const keyOf = ({ file, within, change }: Pick<SourceMutant, 'file' | 'within' | 'change'>): string =>
  `${file} ${within}: ${change}`;
