/** What a form says of one of its parts. */
export interface FormField {
  readonly name: string;
  readonly filename?: string | undefined;
}

const parameter = (header: string, name: string): string | undefined => {
  const match = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, 'i').exec(header);
  // Browsers escape quotes and line ends by percents (HTML), others quotes by backslashes.
  return match?.[1]?.replaceAll(/\\(.)/g, '$1').replaceAll('%22', '"') ?? match?.[2];
};

/** Reads `form-data; name="file"; filename="a.pdf"`, or returns null where it is none. */
export const parseFormField = (header: string | undefined): FormField | null => {
  if (header === undefined || !/^form-data\s*;/i.test(header)) return null;
  const name = parameter(header, 'name');
  const filename = parameter(header, 'filename');
  return name === undefined ? null : { name, filename };
};
