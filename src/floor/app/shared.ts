export { itemsOf } from '../store/ticket-item.ts';
export { countOpenTicketsOf } from '../store/sweep.ts';
export { ticketsOfGuest } from '../store/ticket.ts';
export { forgetTicketsOf } from './sweeps.ts';
