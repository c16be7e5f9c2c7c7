import type { DeliveryRecord } from '@tollgate/storage';
import { textOption, type AdminCommand } from './command.ts';
import { idAfter, listPages, wordOption } from './list-pages.ts';
import { cells, printFound, printRecords, runActions, timeText } from './run-actions.ts';

const lineOf = (delivery: DeliveryRecord): string =>
  cells(
    delivery.id,
    delivery.status.padEnd(9),
    delivery.eventType,
    `tries ${delivery.attempts}`,
    delivery.httpStatus === null ? 'no response' : `status ${delivery.httpStatus}`,
    timeText(delivery.createdAtMs),
    `operation ${delivery.operationId}`,
  );

const list: AdminCommand = async (admin, input) => {
  const query = {
    projectId: textOption(input, 'project'),
    webhookId: textOption(input, 'webhook'),
    operationId: textOption(input, 'operation'),
    status: wordOption(input, 'status', ['pending', 'delivered', 'failed', 'skipped']),
  };
  return printRecords(input, await listPages(input, (page) => admin.findDeliveries({ ...page, ...query })), lineOf);
};

const redeliver: AdminCommand = async (admin, input) => {
  const id = idAfter(input, 'deliveries', 'delivery');
  const found = await admin.readDelivery(id);
  const sent = found === null ? null : await admin.redeliver({ webhookId: found.webhookId, deliveryId: id });
  const missing =
    found === null
      ? `there is no delivery ${id}`
      : 'refused: its webhook is paused or deleted, so that nothing is sent.';
  return printFound(input, sent, { lineOf, missing });
};

export const deliveriesCommand: AdminCommand = runActions({ list, redeliver });
