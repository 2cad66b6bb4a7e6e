import type { TSchema } from 'typebox';
import { PublicBookingBranch, PublicBookingInfo } from '../../bookings/contract/branches.ts';
import {
  PublicBookingChange,
  PublicBookingInput,
  PublicBookingView,
} from '../../bookings/contract/guest-booking.ts';
import { BookingHold, BookingHoldInput } from '../../bookings/contract/holds.ts';
import { BookingBlock, BookingDay, StaffBooking } from '../../bookings/contract/staff-bookings.ts';
import { CardEntry, CardPreferences, CardView } from '../../loyalty/contract/card.ts';
import { JoinInfo, JoinInput, JoinResult } from '../../loyalty/contract/join.ts';
import { CardBrand, PassLinks, PublicReward } from '../../loyalty/contract/shapes.ts';
import { LoyaltyMember, MemberEntry } from '../../loyalty/contract/staff-members.ts';
import { AboutService } from './about.ts';
import { BookingSlots, PublicSlot } from '../../bookings/contract/slots.ts';
import {
  AddonInput,
  ComboInput,
  ComboPickInput,
  OrderedItem,
  OrderItemInput,
} from '../../pricing/contract/cart.ts';
import { DeliveryOrderInput } from '../../orders/contract/checkout.ts';
import { DeliveryQuote, QuotedDelivery } from '../../delivery/contract/delivery.ts';
import {
  DeliveryOrder,
  FrozenAddon,
  FrozenCart,
  FrozenCombo,
  FrozenLine,
  FrozenOptional,
  FrozenPart,
  StaffOrder,
} from '../../orders/contract/delivery-order.ts';
import { ErrorBody } from '../../platform/contract/error.ts';
import {
  OrderNowAddress,
  OrderNowBranch,
  OrderNowContext,
  OrderNowFull,
  PastOrderLine,
  PastOrders,
} from '../../orders/contract/order-again.ts';
import { GuestSavedLocation, OrderHistorySummary } from '../../orders/contract/history.ts';
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
} from '../../menu/contract/menu.ts';
import { DeliveryTracking } from '../../orders/contract/tracking.ts';
import {
  OtpRequestInput,
  OtpRequestResponse,
  OtpVerifyInput,
  OtpVerifyResponse,
} from '../../identity/contract/otp.ts';
import {
  CartDestination,
  CartQuote,
  PublicCartQuoteRequest,
  QuotedCombo,
  QuotedComboPart,
  QuotedDeal,
  QuotedDealLine,
  QuotedLine,
  QuoteHint,
  TableCartQuoteRequest,
} from '../../pricing/contract/quote.ts';
import {
  OnlineTaxPolicy,
  PublicBranch,
  PublicBrand,
  PublicLinksBranch,
  PublicLinksItem,
  PublicLinksPage,
  PublicSocialLink,
} from '../../shops/contract/shop.ts';
import { Device } from '../../staff/contract/devices.ts';
import { BoardEvent } from '../../orders/contract/staff-orders.ts';
import { CustomerAddress } from '../../customers/contract/address.ts';
import { IdentityInput, IdentityResult } from '../../people/contract/identity.ts';
import { PersonExport } from '../../people/contract/people.ts';
import { StaffMember, StaffSession } from '../../staff/contract/sign-in.ts';
import { PublicTable } from '../../floor/contract/dining-table.ts';

/** The names are part of the specification: generated clients use them. */
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
  PublicBookingInfo,
  PublicBookingBranch,
  PublicBookingInput,
  PublicBookingChange,
  PublicBookingView,
  BookingHoldInput,
  BookingHold,
  DeliveryTracking,
  PublicTable,
  PublicCartQuoteRequest,
  CartDestination,
  TableCartQuoteRequest,
  OrderItemInput,
  OrderedItem,
  AddonInput,
  ComboInput,
  ComboPickInput,
  CartQuote,
  QuotedLine,
  QuotedCombo,
  QuotedComboPart,
  QuotedDeal,
  QuotedDealLine,
  QuotedDelivery,
  QuoteHint,
  OtpRequestInput,
  OtpRequestResponse,
  OtpVerifyInput,
  OtpVerifyResponse,
  DeliveryQuote,
  DeliveryOrderInput,
  DeliveryOrder,
  FrozenCart,
  FrozenLine,
  FrozenAddon,
  FrozenOptional,
  FrozenCombo,
  FrozenPart,
  OrderHistorySummary,
  GuestSavedLocation,
  JoinInfo,
  JoinInput,
  JoinResult,
  CardView,
  CardEntry,
  CardPreferences,
  CardBrand,
  PublicReward,
  PassLinks,
  PastOrders,
  PastOrderLine,
  OrderNowContext,
  OrderNowFull,
  OrderNowAddress,
  OrderNowBranch,
  IdentityInput,
  IdentityResult,
  LoyaltyMember,
  MemberEntry,
  StaffSession,
  StaffMember,
  Device,
  StaffOrder,
  BoardEvent,
  StaffBooking,
  BookingDay,
  BookingBlock,
  PersonExport,
  CustomerAddress,
} as const satisfies Record<string, TSchema>;
