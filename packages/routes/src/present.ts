/** An object with one member, or with none where there is no value: a member of a call that is left out is the model's own choice. */
export const present = <K extends string, V>(key: K, value: V | null | undefined): { readonly [name in K]?: V } =>
  // Sound: the object has the one member, or none where the value is missing.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  (value === undefined || value === null ? {} : { [key]: value }) as { readonly [name in K]?: V };
