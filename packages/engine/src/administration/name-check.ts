import { text } from '@tollgate/contract/configuration';

/** Characters of the name of an account, project or key: a page of a hundred stays below 1 MiB. */
const nameCharsMax = 1_000;

/** The name that a host gives an account, project or key. */
export const nameCheck = text({
  charsMin: 0,
  charsMax: nameCharsMax,
  accepted: `is a text of at most ${nameCharsMax} characters`,
});
