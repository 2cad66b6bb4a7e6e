/** A kitchen ticket in the sync feed (Decisions 13). */
import Type from 'typebox';
import { nullable, UuidText } from '../../platform/contract/scalars.ts';
import { KitchenItem, KitchenTicket } from './kitchen.ts';

/** Without the names of stations and tables, which have rows of their own. */
export const FeedKitchenTicket = Type.Object({
  ...Type.Omit(KitchenTicket, ['station', 'items']).properties,
  station_id: nullable(UuidText({ description: 'Null: the branch had no stations.' })),
  items: Type.Array(
    Type.Object({
      ...Type.Omit(KitchenItem, ['tables']).properties,
      table_ids: Type.Array(UuidText(), { description: 'Where its units go now.' }),
    }),
  ),
});
