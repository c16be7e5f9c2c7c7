import { isUuid } from '@tollgate/contract';
import { text } from '@tollgate/contract/configuration';

/**
 * An id of a record: one that is no uuid names nothing here, such as the reference of a caller or an id of the host's own, and a record
 * with it could never be used.
 */
export const idCheck = text({
  isSound: isUuid,
  accepted: 'is a uuid in lower case, such as 0192f0c1-5c5e-7c3a-8d21-9a4b6f0e1d37',
});
