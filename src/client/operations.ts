import type { EndpointOf, OperationId } from '../service/contract/endpoints.ts';

type Operations = {
  readonly [Id in OperationId]: { readonly method: EndpointOf<Id>['method']; readonly path: string };
};

/** Written by `npm run ahwa -- docs` from the endpoint table. */
export const operations = {
  about: { method: 'GET', path: '/' },
  openapi: { method: 'GET', path: '/openapi.json' },
  health: { method: 'GET', path: '/health' },
  ready: { method: 'GET', path: '/ready' },
  getBrand: { method: 'GET', path: '/public/orgs/brand' },
  getLinks: { method: 'GET', path: '/public/orgs/links' },
  listBranches: { method: 'GET', path: '/public/branches' },
  getBranchMenu: { method: 'GET', path: '/public/branches/{id}/menu' },
  getBookingSlots: { method: 'GET', path: '/public/branches/{id}/booking-slots' },
  trackOrder: { method: 'GET', path: '/public/delivery-orders/{id}/track' },
  getTable: { method: 'GET', path: '/public/tables/{id}' },
  getTableMenu: { method: 'GET', path: '/public/tables/{id}/menu' },
  quoteCart: { method: 'POST', path: '/public/branches/{id}/cart-quote' },
  quoteTableCart: { method: 'POST', path: '/public/tables/{id}/cart-quote' },
  requestOtp: { method: 'POST', path: '/public/otp/request' },
  verifyOtp: { method: 'POST', path: '/public/otp/verify' },
  quoteDelivery: { method: 'GET', path: '/public/branches/{id}/delivery-quote' },
  placeOrder: { method: 'POST', path: '/public/delivery-orders' },
  orderHistory: { method: 'GET', path: '/public/delivery-orders/history' },
  pastLocations: { method: 'GET', path: '/public/delivery-orders/past-locations' },
  getDevice: { method: 'GET', path: '/public/otp/device' },
  getBookingInfo: { method: 'GET', path: '/public/branches/{id}/booking-info' },
  listBookingBranches: { method: 'GET', path: '/public/booking-branches' },
  bookTable: { method: 'POST', path: '/public/bookings' },
  cancelBooking: { method: 'POST', path: '/public/bookings/{manage_token}/cancel' },
  changeBooking: { method: 'PATCH', path: '/public/bookings/{manage_token}' },
  getBooking: { method: 'GET', path: '/public/bookings/{manage_token}' },
  getBookingCalendar: { method: 'GET', path: '/public/bookings/{manage_token}/calendar.ics' },
  getBookingChangeSlots: { method: 'GET', path: '/public/bookings/{manage_token}/slots' },
  holdStart: { method: 'POST', path: '/public/branches/{id}/booking-holds' },
  releaseHold: { method: 'POST', path: '/public/branches/{id}/booking-holds/release' },
} as const satisfies Operations;
