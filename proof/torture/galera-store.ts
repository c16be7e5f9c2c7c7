import { disturbances, disturbNode, findDifferences } from '../galera/disturb-nodes.ts';
import { startGalera } from '../../test/galera-cluster.ts';
import type { TortureStore } from './store-choice.ts';

/** A cluster of three nodes, of which one after the other is killed, cut off or frozen. */
export const createGaleraStore = async (): Promise<TortureStore> => {
  const cluster = await startGalera();
  let disturbed = 0;
  return {
    choice: { kind: 'galera', url: cluster.nodes[0]?.url ?? '', nodes: cluster.nodes.map(({ host }) => host) },
    killServer: async () => {
      const at = disturbed;
      disturbed += 1;
      // Three disturbances of three nodes, each of each in nine.
      await disturbNode(cluster, at + Math.floor(at / 3), disturbances[at % disturbances.length] ?? 'kill');
    },
    // Two answers that are waited for in vain.
    slowMs: 16_000,
    checkFiles: () => findDifferences(cluster),
    close: () => cluster.stop(),
  };
};
