/** A phone with Apple Wallet, and changes of cards that wallets are told of. */
import { createWalletOne, type WalletOneOptions } from '../../../src/adapters/wallets/wallet-one.ts';
import { cardChange } from '../../../src/loyalty/app/card.ts';
import { notifyWallets } from '../../../src/loyalty/app/shared.ts';
import { postEntry } from '../../../src/loyalty/store/ledger.ts';
import { commitAndPublish } from '../../../src/platform/app/commit.ts';
import type { Uuid } from '../../../src/kernel/ids.ts';
import type { WalletOne } from '../../../src/ports.ts';
import { newId } from '../database/ids.ts';
import type { Reply } from '../server/http-client.ts';
import type { World } from '../server/world.ts';
import { shopId } from '../shops/cafe.ts';
import { filesIn } from '../stand-ins/zip.ts';
import { PASS_TYPE, walletOneSettings } from '../stand-ins/wallet-certificates.ts';

/** With material of the test's own chain; without a push server nothing can be pushed. */
export const aWalletOne = (push = 'https://push.invalid', own: Partial<WalletOneOptions> = {}): WalletOne =>
  createWalletOne({ ...walletOneSettings(push, own), ...own });

/** The id of the card of a member token. */
export const cardIdOf = async ({ db, app }: World, memberToken: string): Promise<Uuid> => {
  const row = await db.kysely
    .selectFrom('loyalty_card')
    .select('id')
    .where('token_hash', '=', app.tokens.hashOf(memberToken))
    .executeTakeFirstOrThrow();
  return row.id;
};

/** Points for a sale. */
export const earn = (world: World, cardId: Uuid, points: number, orgId = shopId()): Promise<void> =>
  commitAndPublish(world.app, async (tx, log) => {
    const now = world.app.clock.now();
    const entry = { orgId, id: newId(), cardId, saleId: newId(), mode: 'points', reason: 'earned' } as const;
    await postEntry(tx, { ...entry, wanted: points, cap: 1_000_000 }, now);
    await notifyWallets(tx, world.app, { orgId, cardId }, now);
    log.add(orgId, cardChange(cardId));
  });

export interface PassOnPhone {
  readonly serial: Uuid;
  readonly token: string;
  readonly json: PassJson;
  readonly lastModified: string | undefined;
}

/** What a phone reads of `pass.json`. */
export interface PassJson {
  readonly serialNumber: string;
  readonly authenticationToken: string;
  readonly webServiceURL: string;
  readonly passTypeIdentifier: string;
  readonly voided: boolean;
  readonly barcodes: readonly { readonly message: string }[];
  readonly storeCard: {
    readonly headerFields: readonly { readonly value: number }[];
    readonly secondaryFields: readonly { readonly key: string; readonly value: unknown }[];
  };
}

export const passJsonOf = (pass: Uint8Array): PassJson =>
  JSON.parse(filesIn(pass).get('pass.json')?.toString('utf8') ?? '{}') as PassJson;

export const balanceOn = ({ storeCard }: PassJson): number | undefined => storeCard.headerFields[0]?.value;

const passIn = ({ bytes, headers }: Reply): PassOnPhone => {
  const json = passJsonOf(bytes);
  return {
    ...{ serial: json.serialNumber, token: json.authenticationToken, json },
    lastModified: headers['last-modified'],
  };
};

/** Registers, asks and loads as the wallet of a phone does (PassKit Web Service Reference). */
export class WalletPhone {
  readonly device: string;
  readonly pushToken: string;
  readonly passes = new Map<Uuid, PassOnPhone>();
  /** Of the last answer to "what has changed". */
  tag: string | null = null;
  readonly #world: World;

  constructor(world: World, number: number) {
    this.#world = world;
    this.device = number.toString(16).padStart(32, 'd');
    this.pushToken = number.toString(16).padStart(64, '0');
  }

  #registration(serial: Uuid): string {
    return `/wallet/v1/devices/${this.device}/registrations/${PASS_TYPE}/${serial}`;
  }

  /** Loads the pass by its link, and registers for its updates. Returns the status of the registration. */
  async add(memberToken: string, beforeRegistering?: () => Promise<unknown>): Promise<number> {
    const reply = await this.#world.get(`/public/loyalty/pass/${memberToken}.pkpass`);
    if (reply.status !== 200) throw new Error(`no pass: ${reply.status} ${reply.text}`);
    const pass = passIn(reply);
    this.passes.set(pass.serial, pass);
    await beforeRegistering?.();
    return (await this.register(pass)).status;
  }

  register({ serial, token }: Pick<PassOnPhone, 'serial' | 'token'>): Promise<Reply> {
    return this.#world.send(
      'POST',
      this.#registration(serial),
      { authorization: `ApplePass ${token}`, 'content-type': 'application/json' },
      JSON.stringify({ pushToken: this.pushToken }),
    );
  }

  async remove(serial: Uuid): Promise<Reply> {
    const token = this.passes.get(serial)?.token ?? '';
    this.passes.delete(serial);
    return this.#world.send('DELETE', this.#registration(serial), { authorization: `ApplePass ${token}` });
  }

  /** Asks what has changed; returns the serial numbers. */
  async changed(): Promise<readonly Uuid[]> {
    const since = this.tag === null ? '' : `?passesUpdatedSince=${encodeURIComponent(this.tag)}`;
    const reply = await this.#world.get(
      `/wallet/v1/devices/${this.device}/registrations/${PASS_TYPE}${since}`,
    );
    if (reply.status === 204) return [];
    if (reply.status !== 200) throw new Error(`no list: ${reply.status} ${reply.text}`);
    const { lastUpdated, serialNumbers } = reply.body as {
      readonly lastUpdated: string;
      readonly serialNumbers: readonly Uuid[];
    };
    this.tag = lastUpdated;
    return serialNumbers;
  }

  /** Loads the latest version of a pass; returns the status. */
  async load(serial: Uuid): Promise<number> {
    const known = this.passes.get(serial);
    const reply = await this.#world.get(`/wallet/v1/passes/${PASS_TYPE}/${serial}`, {
      authorization: `ApplePass ${known?.token ?? ''}`,
      ...(known?.lastModified === undefined ? {} : { 'if-modified-since': known.lastModified }),
    });
    if (reply.status === 200) this.passes.set(serial, passIn(reply));
    return reply.status;
  }

  /** After a push: asks, and loads what has changed. Returns the statuses. */
  async update(): Promise<readonly number[]> {
    const statuses: number[] = [];
    for (const serial of await this.changed()) statuses.push(await this.load(serial));
    return statuses;
  }

  balance(serial: Uuid): number | undefined {
    const pass = this.passes.get(serial);
    return pass === undefined ? undefined : balanceOn(pass.json);
  }
}
