import type { ProviderFault } from './provider-fault.ts';
import { answerFaults } from './faults/answer-faults.ts';
import { conductFaults } from './faults/conduct-faults.ts';
import { countFaults } from './faults/count-faults.ts';
import { embedFaults } from './faults/embed-faults.ts';
import { fileFaults } from './faults/file-faults.ts';
import { keepingFaults } from './faults/keeping-faults.ts';
import { streamFaults } from './faults/stream-faults.ts';
import { interactionFaults } from './faults/interaction-faults.ts';
import { videoFaults } from './faults/video-faults.ts';

const closingFault: ProviderFault = {
  name: 'cannot be closed twice',
  failsCase: 'has a name and closes more than once',
  wrap: (right) => {
    let closed = false;
    return {
      ...right,
      close: () => {
        if (closed) return Promise.reject(new Error('closed already'));
        closed = true;
        return Promise.resolve();
      },
    };
  },
};

/** At least one fault for each case, so that every case is known to be able to fail. */
export const providerFaults: readonly ProviderFault[] = [
  ...answerFaults,
  ...conductFaults,
  ...streamFaults,
  ...embedFaults,
  ...countFaults,
  ...fileFaults,
  ...interactionFaults,
  ...videoFaults,
  ...keepingFaults,
  closingFault,
];
