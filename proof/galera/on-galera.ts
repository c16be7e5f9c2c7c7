import { hasGalera } from '../../test/galera-cluster.ts';

/** Whether a cluster can be started here; says in one line where a suite is left out. */
export const onGalera = (name: string): boolean => {
  const isThere = hasGalera();
  if (!isThere) console.info(`${name}: left out, for this machine has no mariadbd with galera-4 and rsync`);
  return isThere;
};
