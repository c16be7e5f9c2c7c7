import type { ConfigurationError } from '@tollgate/contract/configuration';

/** The options by which a command line gives fields of the administration. */
const options: Readonly<Record<string, string>> = {
  accountId: '--account',
  'cap.amountMicros': '--cap',
  'cap.timeZone': '--cap',
  expiresAtMs: '--expires',
  fromMs: '--from',
  id: '--id',
  metadata: '--metadata',
  models: '--models',
  name: '--name',
  projectId: '--project',
  reference: '--reference',
  search: '--search',
  timeZone: '--time-zone',
  untilMs: '--until',
};

/** Times are written as dates on a command line: it has no milliseconds. */
export const withoutMilliseconds = (message: string): string =>
  message.replace(/, in milliseconds since 1970.*$/, '').replace(/ is -?\d+, the time (\S+), /, ' is $1, ');

/** What is wrong with the values of a command line, each by its option. */
export const optionFaults = ({ faults }: ConfigurationError): string =>
  faults
    .map(({ place, message }) => {
      const option = options[place];
      return withoutMilliseconds(option === undefined ? message : `${option}${message.slice(place.length)}`);
    })
    .join('\n');
