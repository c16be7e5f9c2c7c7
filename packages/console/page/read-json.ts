/** The JSON of a response of our own server, which is of the same version as the page. */
export const readJson = async <T>(response: Response): Promise<T> =>
  // Sound as far as both come from one set of packages: nothing else serves the page.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  (await response.json()) as T;
