/** The tables as Kysely sees them; `migrations/` is the source. Column types follow the parsers of `types.ts`. */
import type {
  LocatorTable,
  ShopTable,
  ShopSlugTable,
  LinksModuleTable,
  LinksCustomTable,
  LinksSocialTable,
  LoyaltyProgramTable,
  LoyaltyRewardTable,
  BranchTable,
  BranchChannelTable,
  OpeningHoursTable,
  DatedHoursTable,
  DeliveryZoneTable,
  TillTable,
} from './schema/shop.ts';
import type {
  DiningTableTable,
  TableJoinTable,
  BookingSettingsTable,
  BookingTable,
  BookingTableTable,
} from './schema/booking.ts';
import type {
  CategoryTable,
  MenuItemTable,
  ItemSizeTable,
  AddonTable,
  ItemAllowedAddonTable,
  ModifierGroupTable,
  ModifierOptionTable,
  ItemModifierGroupTable,
  OptionalFieldTable,
  ComboSlotTable,
  ComboChoiceTable,
  ComboSizeExtraTable,
  PriceTable,
  AvailabilityTable,
  DealTable,
  DealPoolTable,
  DealBranchTable,
  SaleWindowTable,
  DiscountTable,
  ChannelDiscountTable,
} from './schema/menu.ts';
import type {
  DeliveryOrderTable,
  OrderBrakeLiftTable,
  OrderNumberTable,
  IdempotencyKeyTable,
  RoadDistanceTable,
  ChangeCounterTable,
  ChangeTable,
} from './schema/order.ts';
import type {
  OtpPhoneTable,
  GuestPhoneTable,
  DeviceTokenTable,
  CustomerTable,
  CustomerAddressTable,
  LoyaltyCardTable,
} from './schema/people.ts';
import type {
  StaffTable,
  StaffDeviceTable,
  StaffSessionTable,
  SignInFailureTable,
  StaffFactorTable,
  StaffRecoveryCodeTable,
  StaffChallengeTable,
  StaffFactorFailureTable,
  StaffPinFailureTable,
  AccountFailureTable,
  KnownDeviceTable,
  WrongTriesTable,
  AuditTable,
} from './schema/staff.ts';
import type { MessageBudgetTable, OutboxTable, WebhookTargetTable } from './schema/outbox.ts';

export type { StoredRange } from './schema/shop.ts';

export interface Database {
  locator: LocatorTable;
  shop: ShopTable;
  shop_slug: ShopSlugTable;
  links_module: LinksModuleTable;
  links_custom: LinksCustomTable;
  links_social: LinksSocialTable;
  loyalty_program: LoyaltyProgramTable;
  loyalty_reward: LoyaltyRewardTable;
  branch: BranchTable;
  branch_channel: BranchChannelTable;
  opening_hours: OpeningHoursTable;
  dated_hours: DatedHoursTable;
  delivery_zone: DeliveryZoneTable;
  till: TillTable;
  dining_table: DiningTableTable;
  table_join: TableJoinTable;
  booking_settings: BookingSettingsTable;
  booking: BookingTable;
  booking_table: BookingTableTable;
  category: CategoryTable;
  menu_item: MenuItemTable;
  item_size: ItemSizeTable;
  addon: AddonTable;
  item_allowed_addon: ItemAllowedAddonTable;
  modifier_group: ModifierGroupTable;
  modifier_option: ModifierOptionTable;
  item_modifier_group: ItemModifierGroupTable;
  optional_field: OptionalFieldTable;
  combo_slot: ComboSlotTable;
  combo_choice: ComboChoiceTable;
  combo_size_extra: ComboSizeExtraTable;
  price: PriceTable;
  availability: AvailabilityTable;
  deal: DealTable;
  deal_pool: DealPoolTable;
  deal_branch: DealBranchTable;
  sale_window: SaleWindowTable;
  discount: DiscountTable;
  channel_discount: ChannelDiscountTable;
  delivery_order: DeliveryOrderTable;
  order_brake_lift: OrderBrakeLiftTable;
  order_number: OrderNumberTable;
  idempotency_key: IdempotencyKeyTable;
  road_distance: RoadDistanceTable;
  otp_phone: OtpPhoneTable;
  guest_phone: GuestPhoneTable;
  device_token: DeviceTokenTable;
  customer: CustomerTable;
  customer_address: CustomerAddressTable;
  loyalty_card: LoyaltyCardTable;
  staff: StaffTable;
  staff_device: StaffDeviceTable;
  staff_session: StaffSessionTable;
  sign_in_failure: SignInFailureTable;
  staff_factor: StaffFactorTable;
  staff_recovery_code: StaffRecoveryCodeTable;
  staff_challenge: StaffChallengeTable;
  staff_factor_failure: StaffFactorFailureTable;
  staff_pin_failure: StaffPinFailureTable;
  account_failure: AccountFailureTable;
  known_device: KnownDeviceTable;
  wrong_tries: WrongTriesTable;
  audit: AuditTable;
  outbox: OutboxTable;
  message_budget: MessageBudgetTable;
  webhook_target: WebhookTargetTable;
  change_counter: ChangeCounterTable;
  change: ChangeTable;
}
