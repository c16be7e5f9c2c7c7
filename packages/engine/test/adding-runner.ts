import type { ToolRunner } from '../src/tools/tool-runner.ts';

/** Adds numbers under the name of code execution; tells how often it ran. */
export const addingRunner = (): { readonly runner: ToolRunner<'code_execution'>; readonly runs: () => number } => {
  let runs = 0;
  return {
    runs: () => runs,
    runner: {
      tool: 'code_execution',
      isRepeatable: true,
      callUsageMax: [{ unit: 'code_execution_runs', quantity: 1 }],
      declare: () =>
        Promise.resolve([
          {
            name: 'add',
            description: 'Adds two numbers.',
            parameters: {
              type: 'object',
              properties: { a: { type: 'number' }, b: { type: 'number' } },
              required: ['a', 'b'],
            },
          },
        ]),
      stepArguments: (_, { arguments: { a, b } }) => ({
        language: 'python',
        code: `print(${String(a)} + ${String(b)})`,
      }),
      run: (_, { arguments: { a, b } }) => {
        runs += 1;
        const usage = [{ unit: 'code_execution_runs', quantity: 1, confirmed: true }] as const;
        if (typeof a !== 'number' || typeof b !== 'number')
          return Promise.resolve({ result: 'no numbers', isError: true, usage });
        return Promise.resolve({ result: String(a + b), usage });
      },
    },
  };
};
