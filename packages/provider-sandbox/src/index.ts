export { directiveTable, type DirectiveName, type DirectiveRow } from './directives.ts';
export { exampleOfSchema } from './example-of-schema.ts';
export { sandboxProvider, type SandboxProviderOptions } from './sandbox-provider.ts';
