import path from 'node:path';
import { boundModel } from '../../test/clients/running-gateway.ts';
import type { Agent } from './agent-session.ts';

const modules = path.join(import.meta.dirname, 'node_modules');
const bin = (name: string): string => path.join(modules, '.bin', name);

const qwen: Agent = {
  name: '@qwen-code/qwen-code',
  path: '/chat/completions',
  requests: 2,
  reading: ({ work }, file) => ({ name: 'read_file', arguments: { file_path: path.join(work, file) } }),
  files: () => ({
    '.qwen/settings.json': {
      security: { auth: { selectedType: 'openai' } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    },
  }),
  env: ({ baseUrl, key }) => ({ OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: key, OPENAI_MODEL: boundModel }),
  command: (_, prompt) => [bin('qwen'), '--auth-type', 'openai', '--approval-mode', 'yolo', prompt],
};

const opencode: Agent = {
  name: 'opencode-ai',
  path: '/chat/completions',
  // The third is the title of the session.
  requests: 3,
  reading: ({ work }, file) => ({ name: 'read', arguments: { filePath: path.join(work, file) } }),
  files: ({ baseUrl, key }) => ({
    '.config/opencode/opencode.json': {
      autoupdate: false,
      share: 'disabled',
      model: `tollgate/${boundModel}`,
      small_model: `tollgate/${boundModel}`,
      provider: {
        tollgate: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: baseUrl, apiKey: key },
          models: { [boundModel]: { name: boundModel } },
        },
      },
    },
  }),
  env: () => ({
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  }),
  command: (_, prompt) => [bin('opencode'), 'run', prompt],
};

const continueCli: Agent = {
  name: '@continuedev/cli',
  path: '/chat/completions',
  requests: 2,
  reading: ({ work }, file) => ({ name: 'Read', arguments: { filepath: path.join(work, file) } }),
  files: ({ baseUrl, key }) => ({
    'config.yaml': `name: Tollgate
version: 0.0.1
schema: v1
models:
  - name: Tollgate
    provider: openai
    model: ${boundModel}
    apiBase: ${baseUrl}
    apiKey: ${key}
    roles: [chat]
    capabilities: [tool_use]
`,
  }),
  env: ({ home }) => ({ CONTINUE_GLOBAL_DIR: path.join(home, '.continue'), CONTINUE_TELEMETRY_ENABLED: '0' }),
  command: ({ home }, prompt) => [bin('cn'), '--config', path.join(home, 'config.yaml'), '--auto', '-p', prompt],
};

export const pi: Agent = {
  name: '@mariozechner/pi-coding-agent',
  path: '/chat/completions',
  requests: 2,
  reading: (_, file) => ({ name: 'read', arguments: { path: file } }),
  files: ({ baseUrl, key }) => ({
    '.pi/agent/models.json': {
      providers: {
        tollgate: { baseUrl, api: 'openai-completions', apiKey: key, models: [{ id: boundModel }] },
      },
    },
  }),
  env: () => ({ PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1', PI_TELEMETRY: '0' }),
  command: (_, prompt) => [
    bin('pi'),
    '--offline',
    '--provider',
    'tollgate',
    '--model',
    boundModel,
    '--no-session',
    '-p',
    prompt,
  ],
};

const gemini: Agent = {
  name: '@google/gemini-cli',
  path: `/v1beta/models/${boundModel}:streamGenerateContent`,
  requests: 2,
  reading: (_, file) => ({ name: 'read_file', arguments: { file_path: file } }),
  files: () => ({
    '.gemini/settings.json': {
      security: { auth: { selectedType: 'gemini-api-key' } },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    },
  }),
  env: ({ baseUrl, key }) => ({ GOOGLE_GEMINI_BASE_URL: baseUrl, GEMINI_API_KEY: key }),
  command: (_, prompt) => [bin('gemini'), '--skip-trust', '--yolo', '-m', boundModel, '-p', prompt],
};

export const codex: Agent = {
  name: '@openai/codex',
  path: '/responses',
  requests: 3,
  // It repeats a 402 five times.
  refusal: 400,
  reading: (_, file) => ({ name: 'exec_command', arguments: { cmd: `cat ${file}` } }),
  writing: (_, file, text) => ({ name: 'exec_command', arguments: { cmd: `echo '${text}' > ${file}` } }),
  files: ({ baseUrl }) => ({
    '.codex/config.toml': `model = "${boundModel}"
model_provider = "tollgate"

[model_providers.tollgate]
name = "Tollgate"
base_url = "${baseUrl}"
env_key = "TOLLGATE_KEY"
wire_api = "responses"
`,
  }),
  env: ({ key, home }) => ({ TOLLGATE_KEY: key, CODEX_HOME: path.join(home, '.codex') }),
  command: (_, prompt) => [
    bin('codex'),
    'exec',
    '--skip-git-repo-check',
    '--dangerously-bypass-approvals-and-sandbox',
    prompt,
  ],
};

export const claudeCode: Agent = {
  name: '@anthropic-ai/claude-code',
  path: '/v1/messages',
  requests: 3,
  reading: ({ work }, file) => ({ name: 'Read', arguments: { file_path: path.join(work, file) } }),
  writing: ({ work }, file, text) => ({
    name: 'Write',
    arguments: { file_path: path.join(work, file), content: text },
  }),
  files: () => ({}),
  env: ({ baseUrl, key }) => ({
    ANTHROPIC_BASE_URL: baseUrl,
    ANTHROPIC_API_KEY: key,
    ANTHROPIC_MODEL: boundModel,
    ANTHROPIC_DEFAULT_HAIKU_MODEL: boundModel,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  }),
  command: (_, prompt) => [bin('claude'), '-p', prompt, '--allowedTools', 'Read,Write'],
};

const claudeAgentSdk: Agent = {
  ...claudeCode,
  name: '@anthropic-ai/claude-agent-sdk',
  command: (_, prompt) => [process.execPath, path.join(import.meta.dirname, 'agent-sdk-session.ts'), prompt],
};

/** Each without a terminal, with nothing but a base address and a key of the gateway. */
export const codingAgents: readonly Agent[] = [
  qwen,
  opencode,
  continueCli,
  pi,
  gemini,
  codex,
  claudeCode,
  claudeAgentSdk,
];
