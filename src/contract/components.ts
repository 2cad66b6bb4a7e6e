/** The shapes that have a name of their own in the OpenAPI document. */
import type { TSchema } from 'typebox';
import { AboutService } from './about.ts';
import { BookingSlots, PublicSlot } from './booking.ts';
import { AddonInput, ComboInput, ComboPickInput, OrderItemInput } from './cart.ts';
import { ErrorBody } from './error.ts';
import {
  DealPoolEntry,
  DealRule,
  DeliveryAddonOption,
  DeliveryMenu,
  DeliveryMenuCategory,
  DeliveryMenuDiscount,
  DeliveryMenuItem,
  DeliveryModifierGroup,
  DeliveryModifierOption,
  DeliveryOptionalField,
  MealLink,
  PublicCombo,
  PublicComboChoice,
  PublicComboSize,
  PublicComboSlot,
  SaleWindowShape,
} from './menu.ts';
import { DeliveryTracking } from './order.ts';
import {
  CartQuote,
  PublicCartQuoteRequest,
  QuotedCombo,
  QuotedComboPart,
  QuotedDeal,
  QuotedDealLine,
  QuotedLine,
  TableCartQuoteRequest,
} from './quote.ts';
import {
  OnlineTaxPolicy,
  PublicBranch,
  PublicBrand,
  PublicLinksBranch,
  PublicLinksItem,
  PublicLinksPage,
  PublicSocialLink,
} from './shop.ts';
import { PublicTable } from './ticket.ts';

/** Names are those of the specification and never change: generated clients carry them. */
export const components = {
  ErrorBody,
  AboutService,
  PublicBrand,
  PublicLinksPage,
  PublicLinksItem,
  PublicLinksBranch,
  PublicSocialLink,
  PublicBranch,
  OnlineTaxPolicy,
  DeliveryMenu,
  DeliveryMenuCategory,
  DeliveryMenuItem,
  DeliveryOptionalField,
  DeliveryAddonOption,
  DeliveryModifierGroup,
  DeliveryModifierOption,
  DeliveryMenuDiscount,
  PublicCombo,
  PublicComboSlot,
  PublicComboChoice,
  PublicComboSize,
  MealLink,
  DealRule,
  DealPoolEntry,
  SaleWindow: SaleWindowShape,
  BookingSlots,
  PublicSlot,
  DeliveryTracking,
  PublicTable,
  PublicCartQuoteRequest,
  TableCartQuoteRequest,
  OrderItemInput,
  AddonInput,
  ComboInput,
  ComboPickInput,
  CartQuote,
  QuotedLine,
  QuotedCombo,
  QuotedComboPart,
  QuotedDeal,
  QuotedDealLine,
} as const satisfies Record<string, TSchema>;
