import { isRecord, type GatewayError, type JsonRecord } from '@tollgate/contract';
import { withoutApiKeys } from '@tollgate/engine';
import { encodeEvent } from '@tollgate/sse';

/** The events of one interaction, so far as they are written. */
export interface WrittenInteraction {
  /** The number of the next event, which is its id. */
  next: number;
  /** Steps that were written. */
  steps: number;
}

const write = (type: string, members: object): string =>
  encodeEvent({ event: type, data: JSON.stringify({ event_type: type, ...members }) });

/** An event with an id, by which a client goes on from it. */
export const writeEvent = (written: WrittenInteraction, type: string, members: object): string => {
  const id = String(written.next);
  written.next += 1;
  return write(type, { ...members, event_id: id });
};

/** An event without an id: where a client goes on from does not change. */
export const writeAlive = (id: string): string =>
  write('interaction.status_update', { interaction_id: id, status: 'in_progress' });

type Step = JsonRecord;

/** A step without what its deltas bring. */
const emptied = (step: Step): Step => {
  switch (step['type']) {
    case 'model_output':
      return { type: 'model_output', content: [] };
    case 'thought':
      return { type: 'thought' };
    case 'function_call':
      return { ...step, arguments: {} };
    default:
      return step;
  }
};

const contentDeltas = (content: unknown): readonly object[] => {
  if (!isRecord(content)) return [];
  const { type, text, annotations } = content;
  if (type !== 'text') return [content];
  const said = { type: 'text', text };
  return Array.isArray(annotations) ? [said, { type: 'text_annotation_delta', annotations }] : [said];
};

const thoughtDeltas = ({ summary, signature }: Step): readonly object[] => [
  ...(typeof summary === 'string' ? [{ type: 'thought_summary', content: { type: 'text', text: summary } }] : []),
  ...(typeof signature === 'string' ? [{ type: 'thought_signature', signature }] : []),
];

/** What comes of a step piece by piece; a step of a tool comes whole. */
const deltasOf = (step: Step): readonly object[] => {
  switch (step['type']) {
    case 'model_output':
      return Array.isArray(step['content']) ? step['content'].flatMap(contentDeltas) : [];
    case 'thought':
      return thoughtDeltas(step);
    case 'function_call':
      return [{ type: 'arguments_delta', arguments: JSON.stringify(step['arguments']) }];
    default:
      return [];
  }
};

/** The events of a step in the contract's form, from its beginning to its end. */
export const writeStep = (written: WrittenInteraction, step: Step): string => {
  const index = written.steps;
  written.steps += 1;
  const begun = writeEvent(written, 'step.start', { index, step: emptied(step) });
  const deltas = deltasOf(step).map((delta) => writeEvent(written, 'step.delta', { index, delta }));
  return begun + deltas.join('') + writeEvent(written, 'step.stop', { index });
};

/** The event that ends a stream which did not complete. */
export const writeFailure = (written: WrittenInteraction, { code, message }: GatewayError): string =>
  writeEvent(written, 'error', { error: { code, message: withoutApiKeys(message) } });
