import type { MediaData } from '@tollgate/contract';

/** What a field of a form holds: one value, or a list of those that are sent under one name. */
export type FormField = 'text' | 'number' | 'flag' | 'file' | 'texts' | 'files';

/** The fields of a form, by name. Any other field is a text, which the reader of the body refuses by its name. */
export type FormFields = Readonly<Record<string, FormField>>;

/** A file of a form. Its content is not checked yet. */
export interface FormFile {
  readonly kind: 'form_file';
  readonly filename: string | undefined;
  readonly data: MediaData;
}

/** Tells a file of a form from everything that JSON can spell: the mark is no member that a body could hold. */
const mark = Symbol('file of a form');

export const formFile = (filename: string | undefined, data: MediaData): FormFile =>
  Object.assign({ kind: 'form_file', filename, data } as const, { [mark]: true });

export const isFormFile = (value: unknown): value is FormFile =>
  typeof value === 'object' && value !== null && mark in value;

/** The value that a text of a form spells; a text that spells none stays one, so that its reader can name it. */
const valueOf = (field: FormField, text: string): string | number | boolean => {
  if (field === 'number' && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)) return Number(text);
  if (field === 'flag' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
};

/** Clients mark lists by brackets behind the name. */
export const bareName = (name: string): string => name.replace(/\[\d{0,3}\]$/, '');

/** What came under one name, as a body of JSON would hold it; undefined where one value was to come and several did. */
export const fieldValue = (field: FormField, sent: readonly (string | FormFile)[]): unknown => {
  const values = sent.map((value) => (typeof value === 'string' ? valueOf(field, value) : value));
  if (field === 'texts' || field === 'files') return values;
  return values.length === 1 ? values[0] : undefined;
};
