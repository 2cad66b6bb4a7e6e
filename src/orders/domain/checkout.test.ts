import { describe, expect, test } from 'vitest';
import { readCheckout, type Checkout, type CheckoutInput, type CheckoutTerms } from './checkout.ts';
import { refusedFor } from '../../kernel/refusal.ts';
import { ONLINE_CHANNELS, type OnlineChannel } from '../../shops/domain/shop.ts';

const CONTACT = { customer_name: 'منى عبد الله', customer_phone: '01001234567' };
const LOCATION = { customer_lat: 30.0609, customer_lng: 31.2197 };
/** All fields. */
const ALL: CheckoutInput = {
  ...CONTACT,
  ...LOCATION,
  address_line: '٩ شارع البرازيل',
  floor: '٣',
  unit_number: '١٢',
  landmark: 'بجوار الصيدلية',
  place_name: 'برج النيل',
  delivery_notes: 'رن الجرس',
};

const NO_LOCATION: CheckoutInput = { ...ALL, customer_lat: undefined, customer_lng: null };

const terms = (channel: OnlineChannel, inMallRequireLocation = true): CheckoutTerms => ({
  channel,
  inMallRequireLocation,
});

const faultsOf = (input: CheckoutInput, on: CheckoutTerms): readonly string[] => {
  const result = readCheckout(input, on);
  return 'faults' in result ? result.faults.map(({ path, refusal }) => `${path} ${refusal}`) : [];
};
const checkoutOf = (input: CheckoutInput, channel: OnlineChannel): Checkout => {
  const result = readCheckout(input, terms(channel));
  if ('faults' in result) throw new Error(JSON.stringify(result.faults));
  return result.checkout;
};

describe('the required fields', () => {
  test.each([
    ['outside', ['address_line INVALID_INPUT', 'customer_lat LOCATION_REQUIRED']],
    [
      'in_mall',
      [
        'place_name INVALID_INPUT',
        'floor INVALID_INPUT',
        'unit_number INVALID_INPUT',
        'customer_lat LOCATION_REQUIRED',
      ],
    ],
    ['umbrella', ['place_name INVALID_INPUT']],
    ['pickup', []],
  ] as const)('of %s are all named at once when they are missing or blank', (channel, missing) => {
    expect(faultsOf(CONTACT, terms(channel))).toEqual(missing);
    const blank = { address_line: ' ', floor: '', unit_number: '\u200f', place_name: '\n', landmark: null };
    expect(
      faultsOf({ ...CONTACT, ...blank, customer_lat: null, customer_lng: null }, terms(channel)),
    ).toEqual(missing);
    expect(faultsOf(ALL, terms(channel))).toEqual([]);
  });

  test('include name and phone on every channel', () => {
    for (const channel of ONLINE_CHANNELS)
      expect(faultsOf({ ...ALL, customer_name: ' \t', customer_phone: '\u200e' }, terms(channel))).toEqual([
        'customer_name INVALID_INPUT',
        'customer_phone INVALID_INPUT',
      ]);
  });

  test('exclude the location at a mall that requires none, a setting that other channels ignore', () => {
    expect(faultsOf(NO_LOCATION, terms('in_mall', false))).toEqual([]);
    expect(faultsOf(NO_LOCATION, terms('in_mall', true))).toEqual(['customer_lat LOCATION_REQUIRED']);
    expect(faultsOf(NO_LOCATION, terms('outside', false))).toEqual(['customer_lat LOCATION_REQUIRED']);
    expect(faultsOf(NO_LOCATION, terms('umbrella', true))).toEqual([]);
  });

  test('with only the location missing are LOCATION_REQUIRED; another missing field comes first', () => {
    const refusalOf = (input: CheckoutInput) => {
      const result = readCheckout(input, terms('outside'));
      return refusedFor('faults' in result ? result.faults : []);
    };
    expect(refusalOf(NO_LOCATION)).toMatchObject({ refusal: 'LOCATION_REQUIRED', faults: [] });
    expect(refusalOf(CONTACT)).toMatchObject({
      refusal: 'INVALID_INPUT',
      faults: [{ path: 'address_line' }],
      coded: [{ path: 'address_line' }, { path: 'customer_lat', refusal: 'LOCATION_REQUIRED' }],
    });
  });
});

describe('a location', () => {
  test('with one coordinate is refused on every channel, with the missing one named', () => {
    for (const channel of ONLINE_CHANNELS) {
      expect(faultsOf({ ...ALL, customer_lat: null }, terms(channel))).toEqual([
        'customer_lat INVALID_INPUT',
      ]);
      expect(faultsOf({ ...ALL, customer_lng: undefined }, terms(channel))).toEqual([
        'customer_lng INVALID_INPUT',
      ]);
    }
  });

  test.each([
    [{ customer_lat: 90.000001 }, ['customer_lat INVALID_INPUT']],
    [{ customer_lat: -91, customer_lng: 181 }, ['customer_lat INVALID_INPUT', 'customer_lng INVALID_INPUT']],
    [
      { customer_lng: -180.5, customer_lat: null },
      ['customer_lat INVALID_INPUT', 'customer_lng INVALID_INPUT'],
    ],
    [{ customer_lat: -90, customer_lng: 180 }, []],
    [{ customer_lat: 0, customer_lng: 0 }, []],
  ])('must be on the Earth: %j', (where, faults) => {
    expect(faultsOf({ ...ALL, ...where }, terms('outside'))).toEqual(faults);
  });
});

describe('the stored contact and address', () => {
  test('are on one line with single spaces, blank is absent, and notes keep their lines', () => {
    const typed = {
      ...ALL,
      customer_name: '  منى \u0007 عبد\nالله ',
      address_line: '٩ شارع\r\nالبرازيل',
      floor: '\u202e3\u202c',
      landmark: '  ',
      delivery_notes: ' رن \t الجرس\n\nمرتين ',
    };
    expect(checkoutOf(typed, 'outside')).toEqual({
      name: 'منى عبد الله',
      phone: '01001234567',
      address: {
        addressLine: '٩ شارع البرازيل',
        floor: '3',
        unitNumber: '١٢',
        landmark: null,
        placeName: 'برج النيل',
      },
      deliveryNotes: 'رن الجرس\nمرتين',
      point: { lat: 30.0609, lng: 31.2197 },
    });
  });

  test('have the phone as typed', () => {
    expect(checkoutOf({ ...ALL, customer_phone: ' ٠١٠٠ 123 4567 ' }, 'pickup').phone).toBe(' ٠١٠٠ 123 4567 ');
  });

  test('have all sent fields, also those that the channel does not require', () => {
    for (const channel of ['outside', 'in_mall', 'umbrella'] as const)
      expect(checkoutOf(ALL, channel)).toMatchObject({
        address: {
          addressLine: '٩ شارع البرازيل',
          floor: '٣',
          unitNumber: '١٢',
          landmark: 'بجوار الصيدلية',
          placeName: 'برج النيل',
        },
        point: { lat: 30.0609, lng: 31.2197 },
      });
  });

  test('have no address and no location for pickup, but the notes', () => {
    expect(checkoutOf(ALL, 'pickup')).toEqual({
      name: 'منى عبد الله',
      phone: '01001234567',
      address: { addressLine: null, floor: null, unitNumber: null, landmark: null, placeName: null },
      deliveryNotes: 'رن الجرس',
      point: null,
    });
  });
});
