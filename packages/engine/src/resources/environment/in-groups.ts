/** Files that are stored or deleted at once. */
const groupMax = 32;

/** Does something with each, a group at a time; every member of a group has ended when it throws. */
export const inGroups = async <T>(all: readonly T[], run: (one: T) => Promise<void>): Promise<void> => {
  for (let from = 0; from < all.length; from += groupMax) {
    const ended = await Promise.allSettled(all.slice(from, from + groupMax).map(run));
    const failed = ended.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }
};
