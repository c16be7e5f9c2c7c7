// An agent that runs Python on the files of an environment, asks an MCP server that this program starts, and calls a function
// of the client: it asserts, and ends by itself.
import assert from 'node:assert/strict';
import { download, interact, send, statusOf, type Interaction, type Step, type Target } from './interactions-client.ts';
import { startGateway } from './start-gateway.ts';
import { startMcpServer } from './start-mcp-server.ts';

const program = `
import csv
with open('orders.csv') as file:
    total = sum(int(row['amount']) for row in csv.DictReader(file))
with open('total.txt', 'w') as file:
    file.write(str(total))
print('total', total)
`;

/** The sandbox calls tools because it is asked to; a real model decides by itself. */
const told = (name: string, args: object): string => `[[sandbox: tool ${name} ${JSON.stringify(args)}]]`;

const warehouse = {
  type: 'mcp_server',
  url: 'http://warehouse.example.com/mcp',
  name: 'warehouse',
  allowed_tools: ['count_stock'],
  headers: { authorization: 'Bearer for the warehouse' },
};
const discount = {
  type: 'function',
  name: 'get_discount',
  description: 'The discount of a customer, in percent.',
  parameters: { type: 'object', properties: { customer: { type: 'string' } }, required: ['customer'] },
};

const stepsOf = ({ result }: Interaction): readonly Step[] => result?.steps ?? [];
const stepOf = (interaction: Interaction, type: string): Step => {
  const step = stepsOf(interaction).find((other) => other.type === type);
  assert.ok(step, `there is no ${type} in ${JSON.stringify(stepsOf(interaction))}`);
  return step;
};

const createEnvironment = async (target: Target): Promise<string> => {
  const { id, status } = await send<{ readonly id: string; readonly status: string }>(target, 'POST', '/environments', {
    display_name: 'Orders',
    sources: [{ type: 'inline', target: 'orders.csv', content: 'article,amount\nrope,40\nanchor,2\n' }],
  });
  assert.equal(status, 'active');
  return id;
};

const compute = async (target: Target, environmentId: string): Promise<Interaction> => {
  const computed = await interact(target, {
    input: `What do the orders come to? ${told('execute_python', { code: program })}`,
    tools: [{ type: 'code_execution' }],
    environment_id: environmentId,
  });
  assert.deepEqual([computed.status, computed.error_code], ['completed', null]);
  assert.equal(stepOf(computed, 'code_execution_call').arguments?.['language'], 'python');
  assert.match(String(stepOf(computed, 'code_execution_result').result), /^total 42\n/u);
  const path = `/environments/${environmentId}/files?path=total.txt&download=true`;
  assert.equal(await download(target, path), '42');
  console.log('ok  Python read a file of the environment and left another one there');
  return computed;
};

const countStock = async (target: Target, previous: Interaction): Promise<Interaction> => {
  const counted = await interact(target, {
    input: `Is there rope? ${told('count_stock', { article: 'rope' })}`,
    previous_interaction_id: previous.id,
    tools: [warehouse],
  });
  assert.deepEqual([counted.status, counted.error_code], ['completed', null]);
  const call = stepOf(counted, 'mcp_server_tool_call');
  assert.deepEqual([call.server_name, call.name, call.arguments], ['warehouse', 'count_stock', { article: 'rope' }]);
  assert.equal(stepOf(counted, 'mcp_server_tool_result').result, 'rope: 12 in stock');
  console.log('ok  an MCP server was asked, and only for what is allowed');
  return counted;
};

const askForDiscount = async (target: Target, previous: Interaction): Promise<void> => {
  const waiting = await interact(target, {
    input: `What does Ana pay? ${told('get_discount', { customer: 'Ana' })}`,
    previous_interaction_id: previous.id,
    tools: [discount],
  });
  assert.equal(waiting.status, 'requires_action');
  const call = stepOf(waiting, 'function_call');
  assert.deepEqual([call.name, call.arguments], ['get_discount', { customer: 'Ana' }]);
  const done = await interact(target, {
    input: [{ type: 'function_result', call_id: call.id, name: 'get_discount', result: { percent: 10 } }],
    previous_interaction_id: waiting.id,
    tools: [discount],
  });
  assert.deepEqual([done.status, done.error_code], ['completed', null]);
  assert.ok((stepOf(done, 'model_output').content?.[0]?.text ?? '').length > 0);
  console.log('ok  a function of the client was waited for');
};

const refuse = async (target: Target): Promise<void> => {
  const inside = { ...warehouse, url: 'http://127.0.0.1/mcp' };
  const refused = await interact(target, { input: 'Is there rope?', tools: [inside] });
  assert.deepEqual([refused.status, refused.result?.service.credits ?? 0], ['failed', 0]);
  const leaking = { ...warehouse, headers: { authorization: `Bearer ${target.key}` } };
  assert.equal(await statusOf(target, '/interactions', { input: 'Hello', tools: [leaking] }), 422);
  const unknown = { input: 'Hello', tools: [{ type: 'web_search' }] };
  assert.equal(await statusOf(target, '/interactions', unknown), 422);
  console.log('ok  servers inside, keys in headers and tools without a runner are refused');
};

const mcp = await startMcpServer();
const gateway = await startGateway(mcp.port);
try {
  const computed = await compute(gateway, await createEnvironment(gateway));
  const counted = await countStock(gateway, computed);
  await askForDiscount(gateway, counted);
  await refuse(gateway);
  assert.deepEqual(new Set(mcp.credentials), new Set(['Bearer for the warehouse']));
  assert.deepEqual((await gateway.admin.audit()).violations, []);
} finally {
  await gateway.close();
  mcp.close();
}
