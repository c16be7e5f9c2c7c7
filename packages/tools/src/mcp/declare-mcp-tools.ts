import type { Tool } from '@modelcontextprotocol/client';
import type { ToolFunction } from '@tollgate/engine';
import type { JsonObject } from '@tollgate/provider';
import type { McpLimits } from './mcp-limits.ts';

/** A tool of a server, and the function by which a model asks for it. */
export interface McpFunction {
  /** As the server knows it. */
  readonly toolName: string;
  readonly declared: ToolFunction;
}

/** What every upstream takes for the name of a function. */
const nameCharsMax = 64;
const toFunctionName = (name: string): string => {
  const plain = name.replaceAll(/[^A-Za-z0-9_-]/gu, '_').slice(0, nameCharsMax);
  return /^[A-Za-z_]/u.test(plain) ? plain : `_${plain}`.slice(0, nameCharsMax);
};

const isObjectSchema = (schema: unknown): schema is JsonObject =>
  typeof schema === 'object' && schema !== null && !Array.isArray(schema);

/**
 * The functions for those tools of a server that the client allows, in the server's order, as far as the limits go. The same
 * list makes the same names: two tools that would share one are distinguished by which comes first, the other is left out.
 */
export const declareMcpTools = (
  tools: readonly Tool[],
  allowed: readonly string[] | undefined,
  limits: McpLimits,
): readonly McpFunction[] => {
  const functions = new Map<string, McpFunction>();
  let left = limits.parametersCharsSum;
  for (const { name, description, inputSchema } of tools) {
    const functionName = toFunctionName(name);
    const isWanted = allowed === undefined || allowed.includes(name);
    if (!isWanted || functions.has(functionName) || functions.size >= limits.toolsMax) continue;
    const size = JSON.stringify(inputSchema).length;
    if (!isObjectSchema(inputSchema) || size > limits.parametersCharsMax || size > left) continue;
    left -= size;
    const text = description?.slice(0, limits.descriptionCharsMax).toWellFormed();
    const declared = { name: functionName, parameters: inputSchema, ...(text !== undefined && { description: text }) };
    functions.set(functionName, { toolName: name, declared });
  }
  return Array.from(functions.values());
};
