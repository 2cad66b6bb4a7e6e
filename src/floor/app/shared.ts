export { itemsOf } from '../store/ticket-item.ts';
export { countOpenTicketsOf, ticketsOfGuest, type TicketGuest } from '../store/guest-tickets.ts';
export { forgetTicketsOf } from './sweeps.ts';
