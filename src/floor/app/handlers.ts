import { acceptTicketRound, rejectTicketRound } from './accept-round.ts';
import { getTable, newTableCode } from './dining-table.ts';
import { changeTicket } from './change-ticket.ts';
import { fireTicketRound, openTicket } from './open-ticket.ts';
import { payTicketPart, undoTicketPayment } from './part-payments.ts';
import { settleTicket } from './settle.ts';
import { mergeTickets, splitTicket } from './split-and-merge.ts';
import { orderAtTable } from './table-orders.ts';
import { getTicket, getTicketBill, listTickets } from './tickets.ts';
import { voidTicket, voidTicketLine } from './void.ts';
import type { FloorParts } from './parts.ts';

/** The use case behind each operation of the topic, by operation id. */
export const handlers = ({ app, books }: FloorParts) => {
  const parts = { app, books };
  return {
    getTable: getTable(parts),
    orderAtTable: orderAtTable(parts),
    acceptTicketRound: acceptTicketRound(parts),
    rejectTicketRound: rejectTicketRound(parts),
    newTableCode: newTableCode(app),
    openTicket: openTicket(parts),
    listTickets: listTickets(parts),
    getTicket: getTicket(parts),
    getTicketBill: getTicketBill(parts),
    fireTicketRound: fireTicketRound(parts),
    voidTicketLine: voidTicketLine(parts),
    changeTicket: changeTicket(parts),
    splitTicket: splitTicket(parts),
    mergeTickets: mergeTickets(parts),
    payTicketPart: payTicketPart(parts),
    undoTicketPayment: undoTicketPayment(parts),
    settleTicket: settleTicket(parts),
    voidTicket: voidTicket(parts),
  };
};
