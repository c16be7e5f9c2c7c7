export { directiveTable, type DirectiveName, type DirectivePlace, type DirectiveRow } from './directive-table.ts';
export { exampleOfSchema } from './example-of-schema.ts';
export { sandboxProvider, type SandboxProvider, type SandboxProviderOptions } from './sandbox-provider.ts';
