import { shippingWork, type WorkSubject } from '../work-subject.ts';
import type { WorkSetup } from '../work-world.ts';

/** An engine with one thing wrong. The simulation of deferred work must notice it, by the rule that it breaks. */
export interface WorkFault {
  readonly name: string;
  /** The check that must notice it. */
  readonly rule: string;
  readonly setup?: Partial<WorkSetup>;
  readonly subject: WorkSubject;
}

/** The shipping engine with some functions replaced. */
export const alteredWork = (changes: Partial<WorkSubject>): WorkSubject => ({ ...shippingWork, ...changes });
