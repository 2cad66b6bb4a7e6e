/**
 * An OSRM server (HTTP API v1): its address, options, fields, codes and statuses. Roads are 1.4 times the great circle.
 */
import type { ServerResponse } from 'node:http';
import { metersBetween, type GeoPoint } from '../../../src/kernel/geo.ts';
import { openStandIn } from './stand-in.ts';

export interface OsrmAnswer {
  readonly status: number;
  readonly body: string;
}

export type Answering = (from: GeoPoint, to: GeoPoint, response: ServerResponse) => OsrmAnswer | null;

export interface OsrmServer {
  readonly url: string;
  readonly asked: string[];
  /** Answers a valid request; null when the function writes the response itself, or never. */
  answers: Answering;
  /** Cuts every connection; `start` listens on the same port again. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

const answer = (status: number, body: object): OsrmAnswer => ({ status, body: JSON.stringify(body) });

export const osrmRefusal = (code: string, message: string): OsrmAnswer => answer(400, { code, message });

const waypoint = ({ lat, lng }: GeoPoint, distance: number) => ({
  location: [lng, lat],
  name: 'شارع 26 يوليو',
  distance,
});

/** A route of `distance` metres; `toRoad`: metres from each end to the road. */
export const osrmRoute = (from: GeoPoint, to: GeoPoint, distance: number, toRoad = 4.152629): OsrmAnswer => {
  const length = { weight: distance / 8, duration: distance / 8, distance };
  return answer(200, {
    code: 'Ok',
    routes: [{ legs: [{ steps: [], summary: '', ...length }], weight_name: 'routability', ...length }],
    waypoints: [waypoint(from, toRoad), waypoint(to, toRoad)],
  });
};

export const onRoads: Answering = (from, to) => osrmRoute(from, to, metersBetween(from, to) * 1.4);

const OPTIONS = new Set(['overview', 'generate_hints', 'radiuses', 'alternatives', 'steps']);
const NUMBER = '(-?\\d+(?:\\.\\d+)?)';
const ROUTE = new RegExp(`^/route/v1/[\\w-]+/${NUMBER},${NUMBER};${NUMBER},${NUMBER}$`);

const answerTo = (server: OsrmServer, address: string, response: ServerResponse): OsrmAnswer | null => {
  const { pathname, searchParams } = new URL(address, server.url);
  const [, ...numbers] = ROUTE.exec(decodeURIComponent(pathname)) ?? [];
  const [lng1, lat1, lng2, lat2] = numbers.map(Number);
  if (lng1 === undefined || lat1 === undefined || lng2 === undefined || lat2 === undefined)
    return osrmRefusal('InvalidQuery', 'Query string malformed close to position 17');
  if ([...searchParams.keys()].some((option) => !OPTIONS.has(option)))
    return osrmRefusal('InvalidQuery', 'Query string malformed close to position 64');
  const isOnMap =
    Math.abs(lat1) <= 90 && Math.abs(lat2) <= 90 && Math.abs(lng1) <= 180 && Math.abs(lng2) <= 180;
  if (!isOnMap) return osrmRefusal('InvalidValue', 'Invalid coordinate value.');
  return server.answers({ lat: lat1, lng: lng1 }, { lat: lat2, lng: lng2 }, response);
};

export const openOsrm = async (): Promise<OsrmServer> => {
  const { port, start, stop } = await openStandIn((request, response) => {
    const address = request.url ?? '';
    osrm.asked.push(address);
    const found = answerTo(osrm, address, response);
    if (found === null) return;
    response.writeHead(found.status, { 'Content-Type': 'application/json; charset=UTF-8' });
    response.end(found.body);
  });
  const osrm: OsrmServer = {
    url: `http://127.0.0.1:${port}`,
    asked: [],
    answers: onRoads,
    ...{ start, stop },
  };
  return osrm;
};
