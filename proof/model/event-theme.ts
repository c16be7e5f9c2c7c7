import type { CommandBody } from './command.ts';
import type { Draft } from './draft.ts';
import {
  changeHook,
  changeTrigger,
  createHook,
  createTrigger,
  isStubborn,
  processDelivery,
  processEvent,
  processOccurrence,
  processTrigger,
} from './random-events.ts';
import { deposit } from './random-money.ts';
import { openWork } from './random-opening.ts';
import { workOn } from './random-work.ts';
import type { Random } from './random.ts';
import type { Slot, SlotKind } from './slot.ts';
import type { Theme } from './theme.ts';
import { comesAgain, waitUntilDue } from './work-theme.ts';

/** The second one tells what a history is about: schedules where nothing is said, else webhooks. */
const drawKinds = (random: Random): readonly (SlotKind | undefined)[] => [
  undefined,
  random.int(5) < 3 ? 'interaction' : undefined,
  undefined,
];

type Deed = (draft: Draft, slot: Slot) => CommandBody;

const aboutHooks: readonly Deed[] = [
  workOn,
  workOn,
  workOn,
  workOn,
  processEvent,
  processEvent,
  processDelivery,
  processDelivery,
  processDelivery,
  processDelivery,
  processDelivery,
  processDelivery,
  createHook,
  changeHook,
  deposit,
];

const aboutSchedules: readonly Deed[] = [
  workOn,
  processTrigger,
  processTrigger,
  processTrigger,
  processOccurrence,
  processOccurrence,
  processOccurrence,
  changeTrigger,
  createTrigger,
];

const fresh = (draft: Draft): CommandBody => {
  const { random, commands, opened, slots, prefix, model } = draft;
  const isScheduled = slots[1]?.kind === undefined;
  if (commands.length === 0)
    return { kind: 'deposit', accountId: `${prefix}a1`, amount: 60 + random.int(90), reference: 'd0' };
  if (commands.length === 1) return isScheduled ? createTrigger(draft) : createHook(draft);
  if (opened === 0 || (opened < slots.length && random.int(8) === 0)) return openWork(draft);
  const isUnderWay = [...model.deliveries.values()].some(({ status }) => status === 'pending');
  if (isStubborn(draft) && isUnderWay && random.int(8) > 0) return processDelivery(draft, slots[0]);
  const deeds = isScheduled ? aboutSchedules : aboutHooks;
  const slot = slots[random.int(opened)] ?? slots[0];
  return (deeds[random.int(deeds.length)] ?? workOn)(draft, slot);
};

/** Webhooks with their events and deliveries, and schedules with their occurrences. */
export const eventTheme: Theme = {
  kinds: drawKinds,
  lengthMin: 10,
  lengthMore: 40,
  fresh,
  waitMs: (moment, body, draft) => {
    const roll = moment % 16;
    if (body.kind !== 'claim') return roll < 3 ? 1 : 0;
    const more = Math.floor(moment / 16);
    const late = body.of === 'trigger' || body.of === 'occurrence' ? more % 700_000 : more % 8;
    return roll === 0
      ? late
      : roll < 13
        ? waitUntilDue(draft, body)
        : roll === 13
          ? waitUntilDue(draft, body) + late
          : 0;
  },
  goesByModel: true,
  comesAgain,
};
