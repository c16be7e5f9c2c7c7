/** The address of a gateway, and a key for it. */
interface Target {
  readonly baseUrl: string;
  readonly key: string;
  readonly fetch: (request: Request) => Promise<Response>;
}

interface Trigger {
  readonly id: string;
  readonly next_run_at: string | null;
}

// #region create
/** A report each weekday at nine, in the time zone of Lisbon. */
export const reportOnWeekdays = async ({ baseUrl, key, fetch }: Target): Promise<Trigger> => {
  const response = await fetch(
    new Request(`${baseUrl}/triggers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        display_name: 'Morning report',
        schedule: '0 9 * * MON-FRI',
        time_zone: 'Europe/Lisbon',
        interaction: { input: 'Summarize what happened yesterday.' },
      }),
    }),
  );
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  // The gateway's response has the documented form.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (await response.json()) as Trigger;
};
// #endregion create
