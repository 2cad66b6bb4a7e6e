import { recordOpening } from './open-event.ts';
import type { DeviceFloorParts } from './parts.ts';
import { recordRound } from './round-event.ts';
import { recordSettling } from './settle-event.ts';
import { recordLineVoid, recordTicketVoid } from './void-event.ts';

/** How events of tickets are recorded, by kind. */
export const ticketAppliers = (parts: DeviceFloorParts) => ({
  ticket_open: recordOpening(parts),
  round: recordRound(parts),
  line_void: recordLineVoid(parts),
  ticket_settle: recordSettling(parts),
  ticket_void: recordTicketVoid(parts),
});
