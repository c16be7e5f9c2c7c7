import type { EnvironmentFiles } from '../resources/environment/environment-files.ts';
import type { NetworkVerdict } from '../resources/environment/environment-network.ts';
import type { GenerationTool, JsonObject, ToolName, Usage } from '@tollgate/provider';
import type { AskedTool } from './asked-tool.ts';

/** A function by which a model asks for a tool, as any model that calls functions understands it. */
export type ToolFunction = Omit<Extract<GenerationTool, { readonly kind: 'function' }>, 'kind'>;

/** What a tool that the gateway runs is called in its steps. */
export type RunName = ToolName | 'host_tool';

/** How a client set one tool up; of its own kind for each runner. */
export type ToolSetting<T extends RunName> = Extract<AskedTool, { readonly kind: T }>;

/** One call that a model made of a function which a runner declared. */
export interface ToolRun {
  /** Of the step; the same when the call is checked again after a death. */
  readonly id: string;
  /** Of the function, as the runner declared it. */
  readonly name: string;
  readonly arguments: JsonObject;
}

/** What a tool may know of the interaction it works for, and use while it does. */
export interface ToolContext {
  readonly operationId: string;
  readonly projectId: string;
  readonly accountId: string;
  /** The key that opened the interaction. */
  readonly keyId: string;
  /** Public id of the model. */
  readonly model: string;
  /** The environment of the interaction, which is active while the interaction runs; null where it has none. */
  readonly environmentId: string | null;
  /** Reads and changes that environment's files. */
  readonly environmentFiles: EnvironmentFiles;
  /** Whether that environment lets a tool ask an address, and with which headers; without an environment every one may be asked. */
  readonly mayAsk: (url: URL) => Promise<NetworkVerdict>;
  /** Aborts when the interaction is let go of, or when the call has taken too long. */
  readonly signal: AbortSignal;
}

export interface ToolOutcome {
  /** In the contract's form of this tool's result step, as the client is shown it; JSON. */
  readonly result: unknown;
  /** What the model gets, where that is another thing than `result`. */
  readonly told?: string;
  /** The tool answered that it could not; the model gets that and goes on. */
  readonly isError?: boolean;
  /** Citations in the contract's form (`url_citation`, `file_citation`, `place_citation`): put on what the model says next. */
  readonly annotations?: readonly JsonObject[];
  /** All that the call used. An empty list costs nothing. */
  readonly usage: readonly Usage[];
}

/** What one call of a tool can use at the most. */
export interface ToolBound {
  readonly unit: Usage['unit'];
  readonly quantity: number;
}

/**
 * A tool that the gateway runs where a model's provider does not. The model sees functions; the client sees the steps
 * `<tool>_call` and `<tool>_result`. A host gives its own runner in place of any of ours.
 */
export interface ToolRunner<T extends RunName = RunName> {
  readonly tool: T;
  /** Whether a call that died in the middle may be run again: it reads only, and what it costs may be paid twice. */
  readonly isRepeatable: boolean;
  /** What one call can use at the most; it is reserved for, and a call that the reservation does not cover is not begun. */
  readonly callUsageMax: readonly ToolBound[];
  /**
   * The functions by which the model asks for the tool as it was set up; none is declared twice in one answer. Asked once for each
   * interaction, before anything is paid for: a throw of `NotExecuted` fails the interaction without a charge.
   */
  readonly declare: (setting: ToolSetting<T>, context: ToolContext) => Promise<readonly ToolFunction[]>;
  /** The `arguments` of the call's step in the contract's form, for an MCP server with `name` and `server_name`; by default as called. */
  readonly stepArguments?: (setting: ToolSetting<T>, run: ToolRun) => JsonObject;
  /**
   * Runs one call. What goes wrong in the tool is an outcome with `isError`; a throw counts as one that used `callUsageMax`.
   * Without it the client runs the calls: they become function calls that the interaction waits for (`requires_action`).
   */
  readonly run?: (setting: ToolSetting<T>, run: ToolRun, context: ToolContext) => Promise<ToolOutcome>;
}

/**
 * A tool of the host's own, which the model sees as one function of its name. The client sees the steps `host_tool_call` and
 * `host_tool_result`.
 */
export interface HostToolRunner {
  readonly description?: string;
  /** JSON Schema of the arguments. */
  readonly parameters?: JsonObject;
  /** Whether a call that died in the middle may be run again: it reads only, and what it costs may be paid twice. */
  readonly isRepeatable: boolean;
  /** What one call can use at the most; it is reserved for, and a call that the reservation does not cover is not begun. */
  readonly callUsageMax: readonly ToolBound[];
  /** Runs one call. What goes wrong in the tool is an outcome with `isError`; a throw counts as one that used `callUsageMax`. */
  readonly run: (run: ToolRun, context: ToolContext) => Promise<ToolOutcome>;
}

/** Every tool the gateway runs itself, one runner each; those of the host's own stand under `own`, by their names. */
export type ToolRunners = { readonly [T in ToolName]?: ToolRunner<T> } & {
  readonly own?: Readonly<Record<string, HostToolRunner>>;
};
