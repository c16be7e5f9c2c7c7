import type { ChatRequest } from '@tollgate/contract';
import { findToolContexts } from '@tollgate/engine';
import type { Service } from '../service.ts';
import type { ToolContexts } from './context-seal.ts';

// chat:message:context-fallback
/**
 * What the upstream wants back for the tool calls of a conversation: from the `context` a client returned, and for clients
 * that drop it, from what the service kept.
 */
export const findContexts = (
  service: Service,
  projectId: string,
  request: ChatRequest,
): ToolContexts | Promise<ToolContexts> => {
  const contexts = new Map<string, string>();
  const missing: string[] = [];
  for (const message of request.messages) {
    if (message.role !== 'assistant') continue;
    if (message.context === undefined) missing.push(...(message.tool_calls ?? []).map((call) => call.id));
    else
      for (const [callId, context] of service.contextSeal.open(projectId, message.context))
        contexts.set(callId, context);
  }
  return missing.length === 0 ? contexts : withKept(service, projectId, contexts, new Set(missing));
};

const withKept = async (
  { engine }: Service,
  projectId: string,
  contexts: ToolContexts,
  missing: ReadonlySet<string>,
): Promise<ToolContexts> => {
  const kept = await findToolContexts(engine, projectId, [...missing]);
  return new Map([...contexts, ...kept]);
};
