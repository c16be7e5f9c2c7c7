import type { OperationRecord } from '@tollgate/storage';
import type { FailAnswer, FailCommand } from '../decisions/fail.ts';
import type { ExtendAnswer, ExtendCommand } from '../decisions/extend.ts';
import type { OpenAnswer, OpenCommand } from '../decisions/open.ts';
import type { SettleAnswer, SettleCommand } from '../decisions/settle.ts';

/** The commands that move credits, for any wallet. Each may be repeated, and throws only for "unknown". */
export interface OperationLedger {
  open(command: OpenCommand): Promise<OpenAnswer>;
  /** Raises the hold of a running operation, or changes nothing but its usage so far. */
  extend(command: ExtendCommand): Promise<ExtendAnswer>;
  settle(command: SettleCommand): Promise<SettleAnswer>;
  fail(command: FailCommand): Promise<FailAnswer>;
  /**
   * Takes up what a dead process left between two commands. False where the operation is not of that sort. What it never
   * started is taken back whole, so that its identity can be opened again.
   */
  resume(operation: OperationRecord, commands: ResumeCommands): Promise<boolean>;
}

export interface ResumeCommands {
  readonly settle: SettleCommand;
  readonly fail: FailCommand;
}
