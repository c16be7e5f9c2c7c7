import { defaultDatabase } from '../default-database.ts';

/** What every command takes. */
const common = `Options of every command:
  --db PATH        the SQLite file (default ${defaultDatabase}, or TOLLGATE_DB)
  --postgres URL   a PostgreSQL database instead (or TOLLGATE_POSTGRES, or a DATABASE_URL that begins with postgres://)
  --schema NAME    the schema of the PostgreSQL database (default tollgate, or TOLLGATE_SCHEMA)
  --base-path PATH the path prefix of the gateway's routes (default /api/v1/ai, or TOLLGATE_BASE_PATH)
  --json           print JSON
  --help           print this help

A database that is not there is made by start, init and migrate. Every other command refuses it, and makes nothing.

Exit codes: 0 done · 1 refused or a check failed · 2 not understood`;

export const commandHelp: Readonly<Record<string, string>> = {
  start: `tollgate start [--port N] [--host NAME] [--processes N] [--upstream URL|google|anthropic] [--upstream-model NAME] [--compat LIST]
  Serves the gateway until SIGTERM or SIGINT, then drains and ends.
  --port N         the port (default 8787, or PORT; 0 takes a free one)
  --host NAME      the address to listen on (default 127.0.0.1)
  --processes N    how many processes serve the port, 1 to 256 (default 1); one that dies is started again
  --upstream URL   an OpenAI-compatible base address (or OPENAI_BASE_URL); without it the offline sandbox answers
  --upstream google  the Gemini API, with its key in GEMINI_API_KEY (GOOGLE_GEMINI_BASE_URL for another address of it)
  --upstream anthropic  the Anthropic API, with its key in ANTHROPIC_API_KEY (ANTHROPIC_BASE_URL for another address of it)
  --upstream-model NAME  what the upstream calls the model (or OPENAI_MODEL, ANTHROPIC_MODEL); without it the catalog's own name
  --compat LIST    honour what these clients send beyond the contract: openai, google, anthropic, ollama; several with commas between
  The key of an OpenAI-compatible upstream is read from OPENAI_API_KEY. What seals secrets in the database is read from
  TOLLGATE_CONTEXT_SECRET: at least 32 characters, or several with commas between, of which the first seals and all open.`,
  init: `tollgate init
  Makes the database of a gateway where there is none, and changes nothing where there is one.`,
  key: `tollgate key create [--project ID | --account ID] [--model ID [--own-catalog]] [--name TEXT] [--reference TEXT] [BOUNDS]
  tollgate key list --project ID [--search TEXT] [--reference TEXT] [--limit N]
  tollgate key show KEY_ID
  tollgate key change KEY_ID [--name TEXT] [BOUNDS]
  tollgate key rename KEY_ID --name TEXT
  tollgate key disable|enable|revoke KEY_ID
  list prints keys, newest first, up to --limit (100), or the key of a --reference. create makes what is missing: without --project a new project, without --account a new account.
  The key is shown once. Without --model the key is bound to none and chooses automatically.
  A model is one of the default catalog; --own-catalog takes any, for a gateway whose host has a catalog of its own.
  With a --reference of yours, unique in its --project, a repeat makes no second key. BOUNDS, each of which none takes away:
  --expires TIME   from then on the key opens nothing
  --models LIST    the models that it may call, with commas between
  --cap CREDITS/WINDOW[@ZONE]  what it may spend in each hour, day, week, month or in total, such as 50/month@Europe/Berlin
  --requests-per-minute N, --tokens-per-minute N, --concurrent-requests N  for a limiter, in place of all limits: a kind that is not
                   named, or is none, has no limit; --limits none takes all away
  --metadata NAME=TEXT  a text of yours, in place of all; it may be repeated`,
  token: `tollgate token create --key KEY_ID [--origins LIST] [--models LIST] [--budget CREDITS] [--ttl SECONDS]
  tollgate token show|revoke TOKEN_ID
  create makes a token of a key for a page, which lives for minutes and is shown once.
  --origins LIST   pages of these origins may send it, such as https://app.example.com; with commas between
  --models LIST    the models that it may call, of those that its key may
  --budget CREDITS what it may spend in all
  --ttl SECONDS    how long it lives (default 600, at most 3600)`,
  accounts: `tollgate accounts [--search TEXT] [--limit N]
  tollgate accounts create --name TEXT [--id UUID] [LIMITS]
  tollgate accounts change ACCOUNT_ID [--name TEXT] [--status active|inactive|blocked] [LIMITS]
  tollgate accounts close ACCOUNT_ID
  Lists accounts, newest first, up to --limit (100). With an --id of yours a repeat of create changes nothing. A closed account
  stays closed: what runs settles, and the balance that is left is printed.
  LIMITS are --requests-per-minute N, --tokens-per-minute N and --concurrent-requests N of all its projects together, for a
  limiter, in place of all limits that the account had: a kind that is not named, or is none, has no limit. --limits none takes all away.`,
  projects: `tollgate projects [--account ID] [--search TEXT] [--limit N]
  tollgate projects create --account ID --name TEXT [--id UUID] [LIMITS]
  tollgate projects change PROJECT_ID [--name TEXT] [--status active|paused|blocked] [LIMITS]
  tollgate projects close PROJECT_ID
  Lists projects, newest first, up to --limit (100). A closed project stays closed.
  LIMITS are those of tollgate accounts, of all keys of the project together.`,
  balance: `tollgate balance ACCOUNT_ID (or --account ID)
  Prints the balance of an account, what of it running operations hold, and what is available to new ones.`,
  statement: `tollgate statement ACCOUNT_ID (or --account ID) [--from TIME] [--until TIME] [--limit N | --csv]
  Prints the entries of an account, newest first, each with the balance after it, debits with model and key. --csv prints all of
  the time as CSV. TIME is such as 2026-11-25 or 2026-11-25T08:00:00Z; --until is not included.`,
  deliveries: `tollgate deliveries [--project ID] [--webhook ID] [--operation ID] [--status pending|delivered|failed|skipped] [--limit N]
  tollgate deliveries redeliver DELIVERY_ID
  Lists deliveries of events to webhooks, newest first; redeliver has a serving process send one again.`,
  schedules: `tollgate schedules [--project ID] [--limit N]
  tollgate schedules runs SCHEDULE_ID
  tollgate schedules pause|resume SCHEDULE_ID
  Lists schedules with their next and last runs; runs lists the newest runs of one.`,
  deposit: `tollgate deposit --account ID --credits AMOUNT [--reference TEXT]
  Adds credits to an account's wallet, and prints the reference of the deposit. A --reference of yours, such as the number of an
  invoice, makes a repeat harmless: with the same amount it changes nothing. Without one, each call is a deposit of its own. Settlements that waited for balance are tried at once.`,
  compensate: `tollgate compensate --account ID (--give CREDITS | --take CREDITS) [--reference TEXT] [--operation ID]
    [--shortfall refuse|owe|forgive]
  Corrects the balance of an account by an entry, up or down, and prints the reference of the correction. With a --reference of
  yours a repeat of the same amount changes nothing. No entry is ever changed.
  --give, --take   what is added to the balance, or taken from it
  --operation ID   the operation that it corrects: the usage of its key and model is corrected too
  --shortfall      what of a --take the free balance does not cover: refuse takes nothing (default), owe lets the account owe the
                   rest, forgive leaves it`,
  operations: `tollgate operations [--state STATE] [--account ID] [--project ID] [--key ID] [--model ID]
    [--from TIME] [--until TIME] [--limit N]
  tollgate operations --id ID
  Lists operations, newest first, up to --limit (100). Without a choice: the uncertain ones. --id shows one with its upstream requests,
  the upstream's ids of them, what is known to have been used at the least, and what was sent of a stream that was cut.
  STATE is preparing, reserved, processing, cancelling, settling or uncertain; with an account, a project or a key also completed
  and failed.`,
  resolve: `tollgate resolve OPERATION_ID (--failed | --charge CREDITS | --settle | --measured USAGE | --at-least | --part PART=VALUE …)
    [--by NAME] [--reason TEXT] [--reference TEXT]
  Decides an uncertain operation, once: the same verdict again changes nothing, and another one is refused.
  --failed         frees its hold
  --charge CREDITS debits the amount
  --settle         debits what was measured and waited for balance
  --measured USAGE debits the price of a usage, such as input_text_tokens:50000,output_text_tokens:12; it may be repeated
  --at-least       debits the price of what is known to have been used at the least
  --part PART=VALUE  says it of each part uncertain: VALUE is failed, an amount of credits, or a usage. A part is the number of a
                   upstream request, or the key of an item of a batch; operations --id shows them
  --by, --reason, --reference  go on record with it: who (default: the user of the shell), why, and by which document
  A usage is priced by the price list under which the credits were held. Only for gateways on the built-in wallet: with a wallet of its own, a host decides in its code.`,
  reconcile: `tollgate reconcile --bill FILE.csv [--apply] [--from TIME --until TIME] [--provider NAME]
    [--id-column NAME] [--unit UNIT=COLUMN …] [--time-column NAME] [--delimiter CHARACTER] [--ids upstream|operation]
    [--by NAME] [--reason TEXT] [--reference TEXT]
  Compares an upstream's bill with the uncertain operations, and prints what it decides of each: a charge by the usage on the
  bill, a release where the bill has all calls of the time and not this one, or nothing where that is not certain. Prints too what
  the bill has of operations that are decided and differ, and rows that belong to none.
  --bill FILE      CSV; its first line names the columns
  --apply          carries the proposals out; without it (or with --dry-run) nothing is changed. It may be repeated
  --from, --until  the bill has every call of this time; without them, or --time-column, nothing is released
  --provider NAME  whose bill it is, as attempts name it
  --id-column NAME the ids of requests or answers (default: the first of upstream_id, request_id, generation_id, id and others)
  --unit UNIT=COLUMN  what a column counts; UNIT=A-B where A counts B too. Default: columns named like units
  --time-column NAME  when each call was made: the bill has every call between the first and the last
  --delimiter CHARACTER  what stands between fields (default a comma)
  --ids operation  the ids are those that the upstream was sent, not its own
  --ignore-rows-without-id  rows that bill a usage under no id are sums or fees; without it they stop every release
  --reference      goes on record with each verdict (default: the name of the file)`,
  prices: `tollgate prices check FILE [--own-catalog] [--accounts]
  tollgate prices dry-run FILE --from TIME --until TIME [--account ID] [--group account,plan,model]
  tollgate prices import FILE --from litellm|models.dev|openrouter --list NAME [--models LIST] [--allow-zero] [--force]
    [--ignore-field NAME …]
  check says whether a gateway takes the price list of a JSON file, and names every fault by its place; exit code 1 where there is one.
  It opens no database. --own-catalog: the gateway has a catalog of its own, as
  npm create tollgate makes it, so that names of models are not checked. --accounts opens
  the database and names the plans that accounts have and the list does not; exit code 1 where there is one.
  dry-run prices every operation that completed and was opened in the time by the list of the file, beside what it was charged, by
  model or by --group. It changes nothing. TIME is such as 2026-11-01 or 2026-11-01T10:00:00Z; --until is not included.
  import prints a price list of that name, as the option tariff takes it, made of a published list; one credit is one dollar. It opens no
  database. Each price field that has no place in a price list is named on standard error. A model is left out where it could be
  sold below its price without that field, or where a price is absurd. Exit code 1 where a model is left out.
  --models LIST    only these models, with commas between; one that the file has no prices of is named
  --allow-zero     takes prices of zero
  --force          takes prices that are too high to be believed
  --ignore-field NAME  takes models without this field, as the list or a message names it; what it prices is then free. It may be
                   repeated`,
  import: `tollgate import FILE --from rows|litellm|openrouter|portkey [--keys FILE] [--out FILE] [--source NAME] [--map OLD=NEW]
    [--own-catalog] [--leave-out] [--without-balances] [--change-terms] [--revoke-skipped] [--dry-run] [--json]
  Makes accounts, projects, keys and deposits of an export of another gateway. A second run of the same file changes nothing.
  rows is CSV with the names of fields on its first line, or a JSON list of objects: account, account_name, plan, balance,
  account_requests_per_minute, account_tokens_per_minute, account_concurrent_requests, project, key, key_name, models, expires, cap, requests_per_minute, tokens_per_minute, concurrent_requests. One row is one key, or an account alone.
  The file is checked whole before anything is written. Keys get new texts: they are printed once, as CSV, with the old id as reference.
  --keys FILE      writes them to a new file, which its owner alone may read, and not to standard output; one that is there is refused
  --source NAME    what the old ids are unique in (default the word of --from); a file of another gateway has another
  --map OLD=NEW    what a model is called here; clients must then send NEW. 'azure/*=A,B' names the models of a wildcard. It may be
                   repeated
  --own-catalog    the gateway has a catalog of its own, so that names of models are not checked
  --leave-out      imports the rest where something bounds a key there and has no place here; each is named
  --without-balances  makes accounts and keys, and no deposits; a later import without it makes them
  --dry-run        writes nothing, and says what would be made; it needs no database
  --out FILE       writes a new file of the keys' references and ids, without their texts, for importedKeys() of a host: each key's old
                   id must be the SHA-256 of its text
  --change-terms   gives keys that were there the cap, models, expiry and limits of the file; without it, what differs is named: exit code 1
  --revoke-skipped revokes keys that are active here and that the file skips; without it they are named: exit code 1
  --json           prints a line of JSON for each key as it is made, and a report as the last line
  At most 100000 rows and 67108864 bytes are taken.`,
  migrate: `tollgate migrate --postgres URL
  Brings the schema of a PostgreSQL database up to date, whole or not at all, and makes it where it is missing. Every other command does so too when it
  opens the database; this one needs no more than the right to, and may run before processes of a new version start.`,
  audit: `tollgate audit
  Recomputes every account from its entries and operations; exit code 1 if anything does not hold.`,
  usage: `tollgate usage --from TIME --until TIME [--by hour|day|month|total] [--group account,project,key,model,provider]
    [--account ID] [--project ID] [--key ID | --reference TEXT] [--model ID] [--provider NAME] [--time-zone ZONE] [--csv]
  Prints what was used and charged, as the ledger has it now.
  --from, --until  on whole hours, such as 2026-11-01 or 2026-11-01T10:00Z; the end is excluded
  --by             the length of a period (default total); days and months are those of UTC, or of --time-zone
  --reference      of the key of this reference, which is one of the --project
  --group          what rows tell apart beside the period
  --csv            prints CSV with a column for each unit`,
};

export const generalHelp = `tollgate: a metered AI gateway

Commands:
  start        serve the gateway
  init         make the database of a gateway
  accounts     list, create, change and close accounts
  projects     list, create, change and close projects
  token        make and revoke tokens for pages
  key          create, list, rename, switch and revoke keys
  balance      the balance of an account
  statement    the entries of an account, also as CSV
  deposit      add credits to an account
  compensate   correct the balance of an account, up or down
  operations   list operations
  resolve      decide an uncertain operation
  reconcile    decide uncertain operations by an upstream's bill
  deliveries   list deliveries of events, and send one again
  schedules    list schedules and their runs, pause and resume one
  audit        check the ledger
  usage        print what was used and charged
  prices       check a price list, try one on past usage, make one of a published list
  import       make accounts, keys and balances of another gateway's export
  migrate      bring a PostgreSQL schema up to date

  --version    print the version
  --schema [sqlite|postgres]  print the SQL of the tables

${common}
'tollgate COMMAND --help' tells more of one.`;

/** Stands below a refusal, so that the refusal is not lost in a page of text. */
export const helpHint = (command: string): string => `'tollgate ${command} --help' explains the command.`;

export const helpOf = (command: string): string => {
  const help = commandHelp[command];
  return help === undefined ? generalHelp : `${help}\n\n${common}`;
};
