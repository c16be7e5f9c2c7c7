// Takes events until it is killed: node --conditions=@tollgate/source proof/hooks/hook-worker.ts <kind> <at> <port of the listener> [mutant]
import { plantInProcess } from '../../test/mutants/plant-in-process.ts';
import type { HeardEvent } from './listener.ts';

const [kind, at = '', port, mutant = ''] = process.argv.slice(2);
if (mutant !== '') plantInProcess(mutant);
// Loads the engine, with the mutant in it.
const { openPlace } = await import('./hook-place.ts');

/** Hands an event to the listener, as a host would to its own database. */
const tell = (of: HeardEvent['of']) => async (event: { readonly id: string; readonly requestId: string | null }) => {
  const heard: HeardEvent = { of, id: event.id, requestId: event.requestId, pid: process.pid };
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: JSON.stringify(heard) });
  if (!response.ok) throw new Error(`the listener responded with ${response.status}`);
};

const { gateway } = await openPlace(
  { kind: kind === 'sqlite' ? 'sqlite' : 'postgres', at },
  {
    onSettled: tell('settled'),
    onLowBalance: tell('low_balance'),
    onThreshold: tell('threshold'),
    onUncertain: tell('uncertain'),
    onAnomaly: tell('anomaly'),
  },
);
gateway.jobs.start();
process.send?.('ready');
// A process that outlives the run has nothing to do.
process.on('disconnect', () => process.exit());
