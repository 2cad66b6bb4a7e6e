/** Road distances, against a server that speaks OSRM's API. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { noRoadDistance, osrmRoadDistance } from '../../src/adapters/osrm.ts';
import { metersBetween } from '../../src/kernel/geo.ts';
import type { RoadDistance } from '../../src/ports.ts';
import {
  onRoads,
  openOsrm,
  osrmRefusal,
  osrmRoute,
  type OsrmAnswer,
  type OsrmServer,
} from '../support/stand-ins/osrm.ts';

const ZAMALEK = { lat: 30.0626, lng: 31.2197 };
const TAHRIR = { lat: 30.0444, lng: 31.2357 };
const STRAIGHT = metersBetween(ZAMALEK, TAHRIR);

let osrm: OsrmServer;
/** Reasons of failures, as reported to the log. */
let reported: string[];

beforeAll(async () => {
  osrm = await openOsrm();
});
afterAll(() => osrm.stop());
beforeEach(() => {
  osrm.answers = onRoads;
  osrm.asked.length = 0;
  reported = [];
});

const roadsOf = (options: { url?: string; timeoutMs?: number } = {}): RoadDistance =>
  osrmRoadDistance({
    url: osrm.url,
    profile: 'driving',
    monotonic: () => 0,
    onFailing: (reason) => reported.push(reason),
    // Long enough for a busy machine; timeout tests set less.
    timeoutMs: 30_000,
    ...options,
  });

const toTahrir = (roads: RoadDistance): Promise<number | null> => roads.meters(ZAMALEK, TAHRIR);

const answerWith = (answer: OsrmAnswer): void => {
  osrm.answers = () => answer;
};
const answerWithText = (status: number, body: string): void => answerWith({ status, body });
const fails = (): void => answerWithText(500, '{"message":"Internal Server Error"}');

describe('a route that OSRM returns', () => {
  test('is returned in whole metres', async () => {
    answerWith(osrmRoute(ZAMALEK, TAHRIR, 3456.7));
    expect(await toTahrir(roadsOf())).toBe(3457);
  });

  test('is requested from branch to guest, longitude first, within 1 km of a road', async () => {
    await toTahrir(roadsOf());
    expect(osrm.asked).toEqual([
      '/route/v1/driving/31.219700,30.062600;31.235700,30.044400?overview=false&generate_hints=false&radiuses=1000;1000',
    ]);
  });

  test('is requested under a path prefix and with tiny coordinates', async () => {
    const roads = roadsOf({ url: `${osrm.url}/routed-car/` });
    await roads.meters({ lat: -0, lng: 1e-9 }, { lat: -1e-12, lng: 0.1 });
    expect(osrm.asked[0]).toMatch(
      /^\/routed-car\/route\/v1\/driving\/0\.000000,-?0\.000000;0\.100000,-0\.000000\?/,
    );
  });

  test('may be 0 m long', async () => {
    answerWith(osrmRoute(ZAMALEK, ZAMALEK, 0));
    expect(await roadsOf().meters(ZAMALEK, ZAMALEK)).toBe(0);
  });

  test('a route may be shorter than the great circle by the distances to the road', async () => {
    answerWith(osrmRoute(ZAMALEK, TAHRIR, STRAIGHT - 700, 400));
    expect(await toTahrir(roadsOf())).toBe(STRAIGHT - 700);
  });

  test('a route may be 20 times the great circle plus 100 km', async () => {
    answerWith(osrmRoute(ZAMALEK, TAHRIR, 20 * STRAIGHT + 100_000));
    expect(await toTahrir(roadsOf())).toBe(20 * STRAIGHT + 100_000);
  });

  test('is accepted from an old server without distances to the road', async () => {
    const { body } = osrmRoute(ZAMALEK, TAHRIR, STRAIGHT - 100);
    answerWithText(200, body.replaceAll(',"distance":4.152629', ''));
    expect(await toTahrir(roadsOf())).toBe(STRAIGHT - 100);
  });
});

describe('an unusable answer of OSRM', () => {
  const cases: readonly (readonly [string, OsrmAnswer])[] = [
    ['no way between the two', osrmRefusal('NoRoute', 'Impossible route between points')],
    ['no road near one', osrmRefusal('NoSegment', 'Could not find a matching segment for coordinate 1')],
    ['a query it does not take', osrmRefusal('InvalidQuery', 'Query string malformed close to position 9')],
    ['too much asked', osrmRefusal('TooBig', 'Number of entries 2 is higher than current maximum (1)')],
    ['a negative distance', osrmRoute(ZAMALEK, TAHRIR, -5)],
    ['a distance beyond every number of metres on Earth', osrmRoute(ZAMALEK, TAHRIR, 1e300)],
    ['a distance that is no number', { status: 200, body: '{"code":"Ok","routes":[{"distance":null}]}' }],
    ['a distance in quotes', { status: 200, body: '{"code":"Ok","routes":[{"distance":"3400"}]}' }],
    ['no route in it', { status: 200, body: '{"code":"Ok","routes":[]}' }],
    ['no routes at all', { status: 200, body: '{"code":"Ok"}' }],
    ['a route far shorter than the great circle', osrmRoute(ZAMALEK, TAHRIR, STRAIGHT / 2)],
    ['a route far longer than any detour', osrmRoute(ZAMALEK, TAHRIR, 20 * STRAIGHT + 100_001)],
    ['a route five times around the world', osrmRoute(ZAMALEK, TAHRIR, 2_000_000_000)],
    ['a route between two ends taken to one far spot', osrmRoute(ZAMALEK, TAHRIR, 0, STRAIGHT / 3)],
    ['not JSON', { status: 200, body: 'NaN' }],
    ['a page', { status: 200, body: '<html>It works!</html>' }],
    ['a list', { status: 200, body: '[]' }],
    ['nothing', { status: 200, body: '' }],
    ['null', { status: 200, body: 'null' }],
    [
      'endless',
      { status: 200, body: `{"code":"Ok","routes":[{"distance":3400}],"x":"${'x'.repeat(70_000)}"}` },
    ],
    ['another status', { status: 502, body: osrmRoute(ZAMALEK, TAHRIR, 3400).body }],
    ['too many requests', { status: 429, body: '{"message":"Too Many Requests"}' }],
  ];

  test.each(cases)('gives no distance: %s', async (_, answer) => {
    answerWith(answer);
    expect(await toTahrir(roadsOf())).toBeNull();
  });

  test('a redirect gives no distance', async () => {
    osrm.answers = (_, __, response) => {
      response.writeHead(302, { Location: osrm.url }).end();
      return null;
    };
    expect(await toTahrir(roadsOf())).toBeNull();
  });

  test('a broken connection gives no distance', async () => {
    osrm.answers = (_, __, response) => {
      response.writeHead(200, { 'Content-Length': 500 });
      response.write('{"code":"Ok",', () => response.destroy());
      return null;
    };
    expect(await toTahrir(roadsOf())).toBeNull();
  });

  test('an unfinished answer gives no distance after the timeout', async () => {
    osrm.answers = (_, __, response) => {
      response.writeHead(200);
      response.write('{"code":"Ok",');
      return null;
    };
    expect(await toTahrir(roadsOf({ timeoutMs: 100 }))).toBeNull();
  });

  test('a missing answer gives no distance after the timeout', async () => {
    osrm.answers = () => null;
    expect(await toTahrir(roadsOf({ timeoutMs: 100 }))).toBeNull();
  });

  test('no distance is known where no OSRM server is set up', async () => {
    expect(await toTahrir(noRoadDistance)).toBeNull();
  });
});

describe('a failing OSRM server', () => {
  const keepsSilent = (): void => {
    osrm.answers = () => null;
  };

  test('three timeouts open the circuit, and further requests are not sent', async () => {
    const roads = roadsOf({ timeoutMs: 50 });
    keepsSilent();
    for (let n = 0; n < 5; n += 1) expect(await toTahrir(roads)).toBeNull();
    expect(osrm.asked).toHaveLength(3);
    expect(reported).toEqual(['did not answer in time']);
  });

  test('immediate errors do not open the circuit, and the next good answer is used', async () => {
    const roads = roadsOf();
    fails();
    for (let n = 0; n < 5; n += 1) expect(await toTahrir(roads)).toBeNull();
    expect(reported).toEqual(['answered with status 500']);
    osrm.answers = onRoads;
    expect(await toTahrir(roads)).toBe(Math.round(STRAIGHT * 1.4));
  });

  test('answers without a route or with an impossible one do not count as failures', async () => {
    const roads = roadsOf();
    const answers = [
      osrmRefusal('NoSegment', 'Could not find a matching segment for coordinate 1'),
      osrmRefusal('NoRoute', 'Impossible route between points'),
      osrmRoute(ZAMALEK, TAHRIR, 0),
      osrmRoute(ZAMALEK, TAHRIR, 2_000_000_000),
    ];
    for (const answer of [...answers, ...answers]) {
      answerWith(answer);
      await toTahrir(roads);
    }
    osrm.answers = onRoads;
    expect(await toTahrir(roads)).toBe(Math.round(STRAIGHT * 1.4));
    expect(reported).toEqual([]);
  });

  test('a server that returns at the same address is used again', async () => {
    const roads = roadsOf();
    await osrm.stop();
    for (let n = 0; n < 4; n += 1) expect(await toTahrir(roads)).toBeNull();
    expect(reported).toEqual(['ECONNREFUSED']);
    await osrm.start();
    expect(await toTahrir(roads)).toBe(Math.round(STRAIGHT * 1.4));
  });

  test('a failure is reported without the place of the guest', async () => {
    const reasons = async (answer: () => void, timeoutMs = 30_000): Promise<readonly string[]> => {
      reported = [];
      answer();
      const roads = roadsOf({ timeoutMs });
      for (let n = 0; n < 3; n += 1) await toTahrir(roads);
      return reported;
    };
    expect(await reasons(() => answerWithText(200, 'ما هذا 31.2357'))).toEqual([
      'answered something else than JSON',
    ]);
    expect(await reasons(() => answerWith(osrmRefusal('InvalidOptions', 'x')))).toEqual([
      'answered with the code InvalidOptions',
    ]);
    expect(await reasons(keepsSilent, 50)).toEqual(['did not answer in time']);
  });
});
