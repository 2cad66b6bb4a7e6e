import { describe, expect, test } from 'vitest';
import {
  identityOf,
  type Contact,
  type Identity,
  type IdentityChange,
  type IdentityInput,
  type Profile,
} from './customer.ts';
import { refusalOf } from './transitions.test-support.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { ONLINE_CHANNELS } from '../../shops/domain/shop.ts';

const MONA = '201001234567';
const OMAR = '201112223334';
const mona: Profile = { id: 'mona', name: 'Mona Ali', phone: MONA, isProven: true };

const input = (over: Partial<IdentityInput> = {}): IdentityInput => ({
  typed: { name: 'Mona Ali', phone: MONA },
  card: null,
  known: null,
  change: null,
  otpRequired: false,
  provenPhone: null,
  provenContact: null,
  saveAddress: null,
  channel: 'outside',
  ...over,
});

const outcomeOf = (given: IdentityInput): Identity | string => {
  try {
    return identityOf(given);
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown.refusal;
    throw thrown;
  }
};
const identity = (over: Partial<IdentityInput>): Identity => {
  const outcome = outcomeOf(input(over));
  if (typeof outcome === 'string') throw new Error(`refused: ${outcome}`);
  return outcome;
};

const CHOICES = [null, 'one_time', 'update_name'] as const;
const SAVE_CHOICES = [null, true, false] as const;
const BOTH = [true, false] as const;

// ── With a card ─────────────────────────────────────────────────────────────────────────────────

/** The card's phone or another; the card's name (in other letters) or another. */
const TYPED = {
  'same phone, same name': { name: 'mona  ALI', phone: MONA },
  'same phone, other name': { name: 'Omar', phone: MONA },
  'other phone, same name': { name: 'Mona Ali', phone: OMAR },
  'other phone, other name': { name: 'Omar', phone: OMAR },
} as const satisfies Record<string, Contact>;

/**
 * The expected order by typed contact and choice, with and without proof of the card's phone. `ask`:
 * IDENTITY_CHOICE_REQUIRED.
 */
type Cell = 'ordinary' | 'one time' | 'renamed' | 'ask';
const TABLE: Readonly<
  Record<
    keyof typeof TYPED,
    Readonly<Record<IdentityChange | 'none', readonly [proven: Cell, unproven: Cell]>>
  >
> = {
  'same phone, same name': {
    none: ['ordinary', 'ordinary'],
    one_time: ['one time', 'one time'],
    update_name: ['renamed', 'ordinary'],
  },
  'same phone, other name': {
    none: ['one time', 'one time'],
    one_time: ['one time', 'one time'],
    update_name: ['renamed', 'one time'],
  },
  'other phone, same name': {
    none: ['ask', 'ask'],
    one_time: ['one time', 'one time'],
    update_name: ['ask', 'ask'],
  },
  'other phone, other name': {
    none: ['ask', 'ask'],
    one_time: ['one time', 'one time'],
    update_name: ['ask', 'ask'],
  },
};

const rows = Object.entries(TYPED).flatMap(([what, typed]) =>
  CHOICES.map((change) => [what, change ?? 'none', typed, change] as const),
);
const cellOf = (typed: Contact, change: IdentityChange | null, isProven: boolean): Cell => {
  const phone = typed.phone === MONA ? 'same phone' : 'other phone';
  const name = typed.name === 'Omar' ? 'other name' : 'same name';
  return TABLE[`${phone}, ${name}`][change ?? 'none'][isProven ? 0 : 1];
};

describe('with a card, every cell of the table', () => {
  test.each(rows)('%s, choice %s', (_, __, typed, change) => {
    for (const otpRequired of BOTH)
      for (const isProven of BOTH)
        for (const provenContact of [null, OMAR, MONA])
          for (const saveAddress of SAVE_CHOICES)
            for (const channel of ONLINE_CHANNELS)
              for (const wasProven of BOTH) {
                const provenPhone = isProven ? MONA : OMAR;
                const card = { ...mona, isProven: wasProven };
                const given = {
                  typed,
                  card,
                  change,
                  otpRequired,
                  provenPhone,
                  provenContact,
                  saveAddress,
                  channel,
                };
                const cell = cellOf(typed, change, isProven);
                const isOther = typed.phone === OMAR;
                const isContactProven = isOther ? provenContact === OMAR : isProven;
                const outcome = outcomeOf(input(given));
                if (otpRequired && !isProven) expect(outcome).toBe('PHONE_NOT_VERIFIED');
                else if (cell === 'ask') expect(outcome).toBe('IDENTITY_CHOICE_REQUIRED');
                else if (otpRequired && !isContactProven)
                  expect(outcome).toBe('CONTACT_VERIFICATION_REQUIRED');
                else
                  expect(outcome).toEqual({
                    contact: typed,
                    customer: {
                      kind: 'known',
                      id: 'mona',
                      rename: cell === 'renamed' ? typed.name : null,
                      provesAs: isProven && !wasProven ? card.name : null,
                    },
                    contactOverride: cell === 'one time',
                    otpVerified: isProven,
                    isContactProven,
                    savesAddress: isProven && channel !== 'pickup' && (saveAddress ?? cell !== 'one time'),
                  } satisfies Identity);
              }
  });

  test('another phone is IDENTITY_CHOICE_REQUIRED with kind phone', () => {
    const refusal = refusalOf(() =>
      identityOf(input({ card: mona, typed: TYPED['other phone, same name'] })),
    );
    expect(refusal).toMatchObject({ refusal: 'IDENTITY_CHOICE_REQUIRED', extraFields: { kind: 'phone' } });
  });

  test('at a branch that requires codes, an unproven card’s phone is refused first', () => {
    const { 'other phone, same name': typed } = TYPED;
    expect(outcomeOf(input({ card: mona, typed, otpRequired: true, provenPhone: OMAR }))).toBe(
      'PHONE_NOT_VERIFIED',
    );
  });

  test('the customer of the typed phone is ignored', () => {
    const known = { id: 'omar', name: 'Omar', phone: OMAR, isProven: true };
    const given = { card: mona, typed: TYPED['other phone, other name'], change: 'one_time' } as const;
    expect(identity({ ...given, known })).toEqual(identity(given));
    expect(identity({ ...given, known }).customer).toMatchObject({ kind: 'known', id: 'mona' });
  });
});

// ── Without a card ──────────────────────────────────────────────────────────────────────────────

describe('without a card, every case', () => {
  const typed = { name: 'Mona A.', phone: MONA };

  test('at a branch that requires codes, the typed phone must be proven', () => {
    for (const provenPhone of [null, OMAR])
      for (const known of [null, mona])
        expect(outcomeOf(input({ typed, known, otpRequired: true, provenPhone }))).toBe('PHONE_NOT_VERIFIED');
    expect(identity({ typed, otpRequired: true, provenPhone: MONA }).otpVerified).toBe(true);
  });

  test.each([
    // [known, proven before, proven now] → the customer
    [false, false, false, { kind: 'new', name: 'Mona A.', phone: MONA, isProven: false }],
    [false, false, true, { kind: 'new', name: 'Mona A.', phone: MONA, isProven: true }],
    [true, false, false, { kind: 'known', id: 'mona', rename: null, provesAs: null }],
    [true, false, true, { kind: 'known', id: 'mona', rename: null, provesAs: 'Mona A.' }],
    [true, true, false, { kind: 'known', id: 'mona', rename: null, provesAs: null }],
    [true, true, true, { kind: 'known', id: 'mona', rename: null, provesAs: null }],
  ] as const)('known %s, proven before %s, proven now %s', (isKnown, wasProven, isProven, customer) => {
    const known = isKnown ? { ...mona, isProven: wasProven } : null;
    const provenPhone = isProven ? MONA : null;
    for (const otpRequired of isProven ? BOTH : [false])
      for (const change of CHOICES)
        for (const provenContact of [null, OMAR, MONA])
          for (const saveAddress of SAVE_CHOICES)
            for (const channel of ONLINE_CHANNELS) {
              const given = {
                typed,
                known,
                otpRequired,
                provenPhone,
                change,
                provenContact,
                saveAddress,
                channel,
              };
              expect(identity(given)).toEqual({
                contact: typed,
                customer,
                contactOverride: false,
                otpVerified: isProven,
                isContactProven: isProven,
                savesAddress: isProven && channel !== 'pickup' && saveAddress !== false,
              });
            }
  });
});

test('an order with an unproven phone changes no customer, saves no address and is not verified', () => {
  for (const card of [null, mona, { ...mona, isProven: false }])
    for (const known of [null, mona, { ...mona, isProven: false }])
      for (const typed of Object.values(TYPED))
        for (const change of CHOICES)
          for (const provenContact of [null, OMAR, MONA])
            for (const saveAddress of SAVE_CHOICES) {
              const outcome = outcomeOf(input({ card, known, typed, change, provenContact, saveAddress }));
              if (typeof outcome === 'string') continue;
              expect(outcome).toMatchObject({
                contact: typed,
                otpVerified: false,
                savesAddress: false,
              });
              if (outcome.customer.kind === 'known')
                expect(outcome.customer).toMatchObject({ rename: null, provesAs: null });
            }
});
