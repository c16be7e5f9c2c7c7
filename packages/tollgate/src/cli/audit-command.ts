import { exitCodes, printJson, type AdminCommand } from './command.ts';

export const auditCommand: AdminCommand = async (admin, { options, world }) => {
  const report = await admin.audit();
  if (options['json'] === true) printJson(world, report);
  else {
    world.print(`${report.accounts} accounts, ${report.operations} operations, ${report.entries} entries`);
    if (report.remainderPicos !== 0)
      world.print(`${report.remainderPicos} pico-credits below whole micro-credits are carried`);
    for (const { rule, accountId, detail } of report.violations)
      world.print(`VIOLATION ${rule} ${accountId}: ${detail}`);
    for (const accountId of report.busy) world.print(`busy, audit again: ${accountId}`);
    if (report.violations.length === 0) world.print('clean');
  }
  return report.violations.length === 0 ? exitCodes.done : exitCodes.refused;
};
