/** Where a reader changes a page, by the `repository` of a package. An address that no browser can open gives no link. */
export const editLinkOf = (
  repository: string,
): { readonly editLink?: { readonly pattern: string; readonly text: string } } => {
  const { hostname, pathname } = new URL(repository.replace(/^git\+/u, '').replace(/\.git$/u, ''));
  if (hostname.endsWith('.invalid')) return {};
  return { editLink: { pattern: `https://${hostname}${pathname}/edit/main/docs/:path`, text: 'Edit this page' } };
};
