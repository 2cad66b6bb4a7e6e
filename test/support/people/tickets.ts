/** Tickets of the floor over HTTP. */
import type { StaffOperationId } from '../../../src/service/contract/endpoints.ts';
import { done, post } from '../server/requests.ts';
import type { Reply } from '../server/http-client.ts';
import { JSON_BODY } from '../server/requests.ts';
import type { World } from '../server/world.ts';
import { branchId, thingId } from '../shops/cafe.ts';
import type { SignedIn, StaffBody, StaffReply } from './staff.ts';

export type Ticket = StaffReply<'openTicket'>;

export const coffees = (quantity: number, slug?: string) => [
  { menu_item_id: thingId('item', 'turkish', slug), quantity },
];

/** Two coffees at no table of `zamalek`. */
export const aTicket = (
  more: Partial<StaffBody<'openTicket'>> = {},
  slug?: string,
): StaffBody<'openTicket'> => ({
  ...{ branch_id: branchId('zamalek', slug), items: coffees(2, slug), ...more },
});

/** What is done to a ticket by POST, as its address says. */
const POSTS = {
  fireTicketRound: 'rounds',
  splitTicket: 'split',
  mergeTickets: 'merge',
  voidTicket: 'void',
} as const satisfies Partial<Record<StaffOperationId, string>>;
export type TicketPost = keyof typeof POSTS;

/** The hands of one person on the tickets of a world. */
export const ticketsBy = (world: World, who: SignedIn) => {
  const ask = (
    id: string,
    operation: TicketPost,
    body: object,
    headers: Record<string, string> = {},
  ): Promise<Reply> => post(world, `/staff/tickets/${id}/${POSTS[operation]}`, body, { ...who, ...headers });
  return {
    ask,
    asksOpen: (body: object, headers: Record<string, string> = {}): Promise<Reply> =>
      post(world, '/staff/tickets', body, { ...who, ...headers }),
    open: async (more: Partial<StaffBody<'openTicket'>> = {}): Promise<Ticket> =>
      done('openTicket', await post(world, '/staff/tickets', aTicket(more), who)),
    get: async (id: string): Promise<Ticket> =>
      done('getTicket', await world.get(`/staff/tickets/${id}`, who)),
    fire: async ({ id }: Pick<Ticket, 'id'>, items = coffees(1)): Promise<Ticket> =>
      done('fireTicketRound', await ask(id, 'fireTicketRound', { items })),
    asksVoid: (ticket: Ticket, item: string, more: object = {}): Promise<Reply> =>
      post(
        world,
        `/staff/tickets/${ticket.id}/items/${item}/void`,
        { revision: ticket.revision, reason: 'mistake', ...more },
        who,
      ),
    split: async (
      ticket: Ticket,
      items: StaffBody<'splitTicket'>['items'],
      more: object = {},
    ): Promise<Ticket> =>
      done('splitTicket', await ask(ticket.id, 'splitTicket', { revision: ticket.revision, items, ...more })),
    merge: async (ticket: Ticket, other: string): Promise<Ticket> =>
      done(
        'mergeTickets',
        await ask(ticket.id, 'mergeTickets', { revision: ticket.revision, ticket_id: other }),
      ),
    /** In one payment by card, which needs no open till. */
    settle: async ({ id, revision, due }: Ticket): Promise<Ticket> => {
      const payments = [{ method: 'card', amount: due }];
      return done(
        'settleTicket',
        await post(world, `/staff/tickets/${id}/settle`, { revision, payments }, who),
      );
    },
    void: async (ticket: Ticket, more: object = {}): Promise<Ticket> =>
      done(
        'voidTicket',
        await ask(ticket.id, 'voidTicket', { revision: ticket.revision, reason: 'mistake', ...more }),
      ),
    asksChange: (ticket: Pick<Ticket, 'id' | 'revision'>, more: object): Promise<Reply> =>
      world.send(
        'PATCH',
        `/staff/tickets/${ticket.id}`,
        { ...JSON_BODY, ...who },
        JSON.stringify({ revision: ticket.revision, ...more }),
      ),
    change: async (ticket: Pick<Ticket, 'id' | 'revision'>, more: object): Promise<Ticket> =>
      done(
        'changeTicket',
        await world.send(
          'PATCH',
          `/staff/tickets/${ticket.id}`,
          { ...JSON_BODY, ...who },
          JSON.stringify({ revision: ticket.revision, ...more }),
        ),
      ),
  };
};
