/** Random requests on many connections, each the next one as soon as the last is answered. */
import { randomUUID } from 'node:crypto';
import type { DemoContents } from '../../src/service/app/demo.ts';
import { addDays } from '../../src/kernel/time.ts';
import { get, openConnection } from './connection.ts';
import { CONNECTIONS } from './wrk.ts';

/** Makes one request. */
export type Ask = () => string;

export interface Outcome {
  /** Milliseconds of the answered requests. */
  readonly times: readonly number[];
  /** Answers by status; 0: the connection ended without an answer. */
  readonly statuses: ReadonlyMap<number, number>;
}

const pick = <T>(things: readonly T[]): T => {
  const thing = things[Math.floor(Math.random() * things.length)];
  if (thing === undefined) throw new RangeError('There is nothing to pick from.');
  return thing;
};

const soon = (): string => addDays(new Date().toISOString().slice(0, 10), 1 + Math.floor(Math.random() * 20));

/** Reads of guests: cached ones in every encoding, and cache misses. */
export const readMix = (places: DemoContents): readonly Ask[] => {
  const branches = places.shops.flatMap((shop) => shop.branches);
  const menu = (): string => `/public/branches/${pick(branches).id}/menu`;
  const codings = ['identity', 'br', 'gzip'];
  return [
    () => get(menu()),
    () => get(menu(), { 'Accept-Encoding': pick(codings) }),
    () => get(menu(), { 'Accept-Encoding': pick(codings), 'If-None-Match': '*' }),
    () => get(`${menu()}?channel=${pick(['pickup', 'outside', 'in_mall', 'umbrella'])}&preview=true`),
    () => get(`/public/orgs/brand?slug=${pick(places.shops).slug}`),
    () => get(`/public/orgs/links?slug=${pick(places.shops).slug}`),
    () => get(`/public/branches?org_id=${pick(places.shops).orgId}&browse=true`),
    () => get(`/public/delivery-orders/${pick(places.orders).id}/track`),
    () =>
      get(
        `/public/branches/${pick(branches).id}/booking-slots?date=${soon()}&party_size=${1 + Math.floor(Math.random() * 8)}`,
      ),
    () => get(`/public/tables/${pick(places.tables).id}/menu`),
  ];
};

/** Reads of unknown things: each queries the database, none is cached. */
export const unknownMix = (): readonly Ask[] => [
  () => get(`/public/delivery-orders/${randomUUID()}/track`),
  () => get(`/public/branches/${randomUUID()}/menu`),
  () => get(`/public/orgs/brand?slug=shop-${Math.floor(Math.random() * 1e9)}`),
  () => get(`/public/tables/${randomUUID()}`),
];

/** Malformed requests. */
export const badMix = (): readonly Ask[] => [
  () => get('/no/such/address'),
  () => get('/public/branches/not-a-uuid/menu'),
  () => get('/public/orgs/brand?slug=%zz&slug=a'),
  () => get(`/${'x'.repeat(8000)}`),
  () => get('/public/orgs/brand', { 'X-Long': 'x'.repeat(20_000) }),
  () => 'GARBAGE\r\n\r\n',
  () =>
    'POST /public/orgs/brand HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a": nul',
  () => get('/openapi.json'),
];

/** Loads the server with 64 connections. */
export const runMix = async (port: number, mix: readonly Ask[], seconds: number): Promise<Outcome> => {
  const times: number[] = [];
  const statuses = new Map<number, number>();
  const until = performance.now() + seconds * 1000;
  const client = async (): Promise<void> => {
    const asking = openConnection(port);
    while (performance.now() < until) {
      const { status, ms } = await asking.ask(pick(mix)());
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status !== 0) times.push(ms);
    }
    asking.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  return { times, statuses };
};
