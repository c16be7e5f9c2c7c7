import { query } from '@anthropic-ai/claude-agent-sdk';

/** The program of a host that runs one session by the SDK: its prompt is the first argument, its result is printed. */
const [, , prompt = ''] = process.argv;
for await (const message of query({ prompt, options: { allowedTools: ['Read', 'Write'], settingSources: [] } })) {
  if (message.type !== 'result') continue;
  if (message.subtype === 'success') console.log(message.result);
  process.exitCode = message.is_error ? 1 : 0;
}
