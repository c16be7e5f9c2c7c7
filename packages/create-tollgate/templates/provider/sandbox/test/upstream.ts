/** The sandbox needs no upstream. */
export const startUpstream = async () => ({
  environment: { SMALL_MODEL: 'sandbox-small', LARGE_MODEL: 'sandbox-large' },
  close: () => {},
});
