import { defaultDatabase } from '../default-database.ts';

/** What every command takes. */
const common = `Options of every command:
  --db PATH        the SQLite file (default ${defaultDatabase}, or TOLLGATE_DB)
  --postgres URL   a PostgreSQL database instead (or TOLLGATE_POSTGRES)
  --base-path PATH the path prefix of the gateway's routes (default /api/v1/ai, or TOLLGATE_BASE_PATH)
  --json           print JSON
  --help           print this help

Exit codes: 0 done · 1 refused or found wanting · 2 not understood`;

export const commandHelp: Readonly<Record<string, string>> = {
  start: `tollgate start [--port N] [--host NAME] [--upstream URL|google] [--upstream-model NAME] [--compat LIST]
  Serves the gateway until SIGTERM or SIGINT, then drains and ends.
  --port N         the port (default 8787, or PORT; 0 takes a free one)
  --host NAME      the address to listen on (default 127.0.0.1)
  --upstream URL   an OpenAI-compatible base address (or OPENAI_BASE_URL); without it the offline sandbox answers
  --upstream google  the Gemini API, with its key in GEMINI_API_KEY (GOOGLE_GEMINI_BASE_URL for another address of it)
  --upstream-model NAME  what the upstream calls the model (or OPENAI_MODEL); without it the catalog's own name
  --compat LIST    honour what these clients send beyond the contract: openai, google, or both with a comma between
  The key of an OpenAI-compatible upstream is read from OPENAI_API_KEY.`,
  key: `tollgate key create [--project ID | --account ID] [--model ID] [--name TEXT]
  tollgate key list --project ID
  tollgate key revoke KEY_ID
  create makes what is missing: without --project a new project, without --account a new account.
  The key is shown once. Without --model the key is bound to none and chooses automatically.`,
  deposit: `tollgate deposit --account ID --credits AMOUNT [--reference TEXT]
  Adds credits to an account's wallet. Repeating a reference with the same amount changes nothing; without one, each call
  is a deposit of its own. Settlements that waited for balance are tried at once.`,
  operations: `tollgate operations [--state STATE | --account ID | --project ID | --id ID]
  Lists up to 100 operations, newest first. Without a choice: the uncertain ones. --id shows one with its wire calls.
  STATE is preparing, reserved, processing, cancelling, settling or uncertain.`,
  resolve: `tollgate resolve OPERATION_ID (--failed | --charge CREDITS | --settle)
  Decides an uncertain operation: --failed frees its hold, --charge debits the amount, --settle debits what was measured
  and waited for balance. Only for gateways on the built-in wallet: with a wallet of its own, a host decides in its code.`,
  migrate: `tollgate migrate --postgres URL
  Brings the schema of a PostgreSQL database up to date, whole or not at all. Every other command does so too when it
  opens the database; this one needs no more than the right to, and may run before processes of a new version start.`,
  audit: `tollgate audit
  Recomputes every account from its entries and operations; exit code 1 if anything does not hold.`,
};

export const generalHelp = `tollgate: a metered AI gateway

Commands:
  start        serve the gateway
  key          create, list and revoke keys
  deposit      add credits to an account
  operations   list operations
  resolve      decide an uncertain operation
  audit        check the books
  migrate      bring a PostgreSQL schema up to date

${common}
'tollgate COMMAND --help' tells more of one.`;

export const helpOf = (command: string): string => {
  const help = commandHelp[command];
  return help === undefined ? generalHelp : `${help}\n\n${common}`;
};
