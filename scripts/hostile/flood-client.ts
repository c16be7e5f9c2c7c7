// Sends one body again and again, as it is ordered to: node --conditions=@tollgate/source scripts/hostile/flood-client.ts
// '<FloodSetup as JSON>'
import type { FloodOrder, FloodSetup, FloodWord } from './flooder.ts';
import { sendBody } from './send-body.ts';

// Written by the parent, from the same type.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const { sending, senders } = JSON.parse(process.argv[2] ?? '{}') as FloodSetup;

const state = { body: Buffer.alloc(0), isOn: false, shots: 0 };
let under: Promise<unknown> = Promise.resolve();

const sendOn = async (): Promise<void> => {
  while (state.isOn) {
    await sendBody(sending, state.body);
    state.shots += 1;
  }
};

const rest = async (): Promise<void> => {
  state.isOn = false;
  await under;
  const word: FloodWord = { shots: state.shots };
  process.send?.(word);
};

process.on('message', (order: FloodOrder) => {
  switch (order.kind) {
    case 'body':
      state.body = Buffer.from(order.base64, 'base64');
      return;
    case 'start':
      Object.assign(state, { isOn: true, shots: 0 });
      under = Promise.all(Array.from({ length: senders }, sendOn));
      return;
    case 'rest':
      void rest();
  }
});
process.on('disconnect', () => process.exit(0));
