/** One simulation: N devices and one server on a network and clocks that go wrong, all drawn from a seed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { FEED_TYPES } from '../../../../src/platform/domain/feed.ts';
import { BranchCopy } from '../../../../src/client/till/branch-copy.ts';
import { createDeviceClient } from '../../../../src/client/till/device-client.ts';
import { readBooks } from './books.ts';
import { Chance } from './chance.ts';
import { CHECKS } from './checks.ts';
import { SimulatedDevice } from './device.ts';
import { History } from './history.ts';
import type { MadeSale } from './ledger.ts';
import { SimulatedNetwork } from './network.ts';
import {
  importMenu,
  mergeLive,
  revokeDevice,
  sellLive,
  settleLive,
  snooze,
  splitLive,
  voidLive,
} from './online-acts.ts';
import { BEGIN, Places, REWARD_COST } from './place.ts';
import { Scene, type Fault } from './scene.ts';
import { NO_FAULT, type Seams } from './seams.ts';
import { SimulatedServer } from './server.ts';
import { believeCopy, fireRound, openTicket, settle, voidLine, voidTicket } from './ticket-acts.ts';
import {
  closeTill,
  giveDrink,
  moveCash,
  openTill,
  refund,
  sell,
  sellForPoints,
  sellWithCard,
  type Act,
} from './till-acts.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** What many simulations share. */
export interface Stage {
  readonly server: SimulatedServer;
  readonly places: Places;
  /** For the files of devices. */
  readonly folder: string;
  readonly seams: Seams;
}

export interface Simulated {
  readonly history: readonly string[];
  readonly faults: readonly Fault[];
}

/** Longer than any history, so that neither a session of the owner nor a row of the feed ends meanwhile. */
const LONGEST_MS = 9 * HOUR;

// ── The cast ────────────────────────────────────────────────────────────────────────────────────

const AHEAD = [0, 0, 3 * HOUR, -7 * HOUR, 40_000, 26 * HOUR] as const;

const openDevices = async (
  scene: Scene,
  { folder, seams }: Omit<Stage, 'server' | 'places'>,
): Promise<void> => {
  const { chance, history, place, server, network } = scene;
  const tokens = await place.pair(server.world, chance.hits(75) ? 2 : 3);
  let saved: string | null = null;
  for (const [index, { id, token }] of tokens.entries()) {
    const name = `device ${index + 1}`;
    const ahead = chance.pick(AHEAD) ?? 0;
    const parts = {
      ...{ name, id, token, ahead, seams, branchId: place.branchId, fetch: network.fetchOf(name) },
      ...{ path: join(folder, `${index}.jsonl`), now: () => scene.now },
      onFault: (text: string) => void scene.faults.push({ check: 'nothing below what was seen', text }),
    };
    const device: SimulatedDevice = await SimulatedDevice.open(parts, saved);
    scene.devices.push(device);
    history.say(scene.now, name, device.clock, 'begins');
    // The others begin with the copy of the first one.
    while (saved === null && !device.copy.isCurrent) await device.pull(2_000, () => Promise.resolve());
    saved ??= device.copy.saved();
  }
};

/** Most people sell into one drawer, whichever device is nearer. */
const openSharedTill = async (scene: Scene): Promise<void> => {
  const [first] = scene.devices;
  if (first === undefined || scene.chance.hits(15)) return;
  await openTill(scene, first);
  for (const tillId of scene.memory(first).tills)
    for (const device of scene.devices) scene.memory(device).tills.add(tillId);
};

// ── Steps ───────────────────────────────────────────────────────────────────────────────────────

type Weighted<T> = readonly (readonly [weight: number, choice: T])[];

const THEMES: Readonly<Record<string, Weighted<Act>>> = {
  counter: [
    [5, sell],
    [2, sellWithCard],
    [2, sellForPoints],
    [1, giveDrink],
    [2, refund],
    [1, moveCash],
    [1, closeTill],
  ],
  tills: [
    [2, openTill],
    [3, sell],
    [2, moveCash],
    [3, closeTill],
    [2, refund],
  ],
  tickets: [
    [2, openTicket],
    [5, fireRound],
    [2, voidLine],
    [4, settle],
    [1, voidTicket],
    [1, refund],
  ],
  bills: [
    [3, openTicket],
    [5, fireRound],
    [3, voidLine],
    [5, settle],
    [2, voidTicket],
  ],
  all: [
    ...([
      [1, openTill],
      [3, sell],
      [1, sellWithCard],
      [1, sellForPoints],
      [1, giveDrink],
      [1, refund],
      [1, moveCash],
      [1, closeTill],
    ] as const),
    ...([
      [1, openTicket],
      [4, fireRound],
      [1, voidLine],
      [2, settle],
      [1, voidTicket],
    ] as const),
  ],
};

type Step = (scene: Scene) => Promise<void>;

/** What the staff at the server does besides, by theme. */
const LIVE: Readonly<Record<string, Weighted<Step>>> = {
  bills: [
    [20, mergeLive],
    [14, splitLive],
  ],
};

const deviceIn = ({ chance, devices }: Scene): SimulatedDevice => {
  const device = chance.pick(devices);
  if (device === undefined) throw new Error('A simulation has devices.');
  return device;
};

const act =
  (acts: Weighted<Act>): Step =>
  async (scene) => {
    for (let tries = 0; tries < 3; tries += 1)
      if (await scene.chance.weighted(acts)(scene, deviceIn(scene))) return;
  };

const sellMeanwhile = async (scene: Scene, device: SimulatedDevice): Promise<void> => {
  if (!scene.chance.hits(30)) return;
  const { network } = scene;
  const { trouble, crash } = network;
  // The pull waits for the answer, and no time passes in which the queue would try again.
  network.trouble = 0;
  network.crash = null;
  if (!(await sell(scene, device))) await giveDrink(scene, device);
  network.trouble = trouble;
  network.crash = crash;
};

const pull: Step = async (scene) => {
  const { history, chance } = scene;
  const device = deviceIn(scene);
  if (device.isRevoked) return;
  history.say(scene.now, device.name, device.clock, 'pulls');
  const limit = chance.pick([1, 3, 50, 2_000]) ?? 2_000;
  const result = await device.pull(limit, () => sellMeanwhile(scene, device));
  history.add(`its copy ${result}`);
  if (result !== 'is up to date') return;
  believeCopy(scene, device);
  checkScreen(scene, device, (sale) => isOfOwnTill(scene, sale));
};

/** A sale for a till that another device opened waits for that, and is in no rows until then. */
const isOfOwnTill = ({ ledger }: Scene, { tillId, by }: MadeSale): boolean =>
  tillId === null || ledger.till(tillId).by === by;

/** What a device sold is in its own copy once that is up to date. */
const checkScreen = (
  scene: Scene,
  device: SimulatedDevice,
  isExpected: (sale: MadeSale) => boolean,
): void => {
  const { ledger, faults, history } = scene;
  const own = [...ledger.sales.values()].filter((sale) => sale.by === device.name && isExpected(sale));
  for (const { id } of own.filter((sale) => device.copy.row('sale', sale.id) === null))
    faults.push({
      check: 'own work stays on the screen',
      text: `${device.name} sold ${history.nameOf(id)}, and its copy has it not`,
    });
};

const send: Step = async (scene) => {
  const device = deviceIn(scene);
  scene.history.say(scene.now, device.name, device.clock, 'tries to send');
  await device.send();
};

const cutLine: Step = (scene) => {
  const { network, history } = scene;
  const device = deviceIn(scene);
  const isCut = network.cut.has(device.name);
  if (isCut) network.cut.delete(device.name);
  else network.cut.add(device.name);
  history.say(scene.now, device.name, device.clock, isCut ? 'has its line again' : 'loses its line');
  return Promise.resolve();
};

const crashDevice: Step = async (scene) => {
  const device = deviceIn(scene);
  scene.history.say(scene.now, device.name, device.clock, 'crashes, and starts again');
  await device.crash();
};

const pass: Step = async (scene) => {
  const { chance, network, history, server } = scene;
  await network.deliverLate();
  const minutes = chance.hits(70) ? chance.between(1, 40) : chance.between(60, 180);
  if (scene.now + minutes * MINUTE > BEGIN + LONGEST_MS) return;
  server.world.now += minutes * MINUTE;
  history.say(scene.now, 'the clock', null, `${minutes} minutes have passed`);
};

const restartServer: Step = async (scene) => {
  scene.history.say(scene.now, 'the server', null, 'crashes, and starts again');
  await scene.server.restart();
};

const armCrash: Step = ({ chance, history, network, now }) => {
  const crash = { transaction: chance.between(1, 4), moment: chance.hits(50) ? 'before' : 'after' } as const;
  network.crash = crash;
  history.say(
    now,
    'the server',
    null,
    `will crash ${crash.moment} the commit of transaction ${crash.transaction}`,
  );
  return Promise.resolve();
};

/** Rare and dear things happen in a few histories, there often enough to meet others. */
const stepsOf = ({ chance }: Scene, theme: string): Weighted<Step> => {
  const sometimes = (percent: number, weight: number): number => (chance.hits(percent) ? weight : 0);
  return [
    ...([
      [60, act(THEMES[theme] ?? [])],
      [8, pass],
      [8, cutLine],
      [7, send],
      [6, pull],
      [4, crashDevice],
    ] as const),
    ...([
      [3, sellLive],
      [1, settleLive],
      [1, voidLive],
      [1, snooze],
    ] as const),
    ...(LIVE[theme] ?? []),
    [sometimes(6, 12), importMenu] as const,
    [sometimes(8, 8), revokeDevice] as const,
    [sometimes(6, 8), restartServer] as const,
    [sometimes(10, 12), armCrash] as const,
  ];
};

// ── The end ─────────────────────────────────────────────────────────────────────────────────────

const MOST_TRIES = 20;

/** Everything is sent and pulled, over a network without faults. */
const heal = async (scene: Scene): Promise<void> => {
  const { history, network, devices, faults } = scene;
  history.say(scene.now, 'the network', null, 'is well again');
  network.heal();
  await network.deliverLate();
  for (const device of devices) {
    for (let tries = 0; tries < MOST_TRIES && (await device.queue.hasWaiting()); tries += 1)
      await device.send();
    const left = [await device.queue.hasWaiting(), (await device.queue.refused()).length > 0];
    if (left.includes(true))
      faults.push({ check: 'every event once', text: `${device.name} did not get rid of its events` });
  }
  for (const device of devices.filter(({ isRevoked }) => !isRevoked)) {
    let result = await device.pull(2_000, () => Promise.resolve());
    for (let tries = 0; tries < MOST_TRIES && result !== 'is up to date'; tries += 1)
      result = await device.pull(2_000, () => Promise.resolve());
    checkScreen(scene, device, () => true);
  }
};

const rowsOf = (copy: BranchCopy): ReadonlyMap<string, string> =>
  new Map(
    FEED_TYPES.flatMap((type) =>
      copy.rows(type).map((row) => [`${type} ${row.id}`, JSON.stringify(row)] as const),
    ),
  );

const freshCopy = async ({ server, place, devices }: Scene): Promise<BranchCopy> => {
  const token = devices.find(({ isRevoked }) => !isRevoked)?.parts.token ?? '';
  const client = createDeviceClient({ baseUrl: server.world.baseUrl, fetch, token });
  const copy = new BranchCopy(place.branchId);
  do copy.apply(await client.pull({ branch_id: place.branchId, limit: 2_000, ...copy.next() }));
  while (!copy.isCurrent);
  return copy;
};

/** Every copy is that of a device that begins now. */
const checkCopies = (scene: Scene, freshRows: ReadonlyMap<string, string>): void => {
  for (const device of scene.devices.filter(({ isRevoked }) => !isRevoked)) {
    const own = rowsOf(device.copy);
    const keys = new Set([...freshRows.keys(), ...own.keys()]);
    for (const key of [...keys].filter((one) => own.get(one) !== freshRows.get(one))) {
      const [kind = ''] = key.split(' ');
      scene.faults.push({
        ...{ check: 'copies are equal to a fresh one', text: `${device.name} has another row of ${kind}` },
      });
    }
  }
};

/** In per cent of the histories: the days of the reports. */
const DAYS_PERCENT = 25;

const checkAll = async (scene: Scene): Promise<void> => {
  const fresh = await freshCopy(scene);
  checkCopies(scene, rowsOf(fresh));
  const books = await readBooks(scene.server.world, scene.place, fresh, scene.chance.hits(DAYS_PERCENT));
  for (const [check, faultsOf] of Object.entries(CHECKS))
    scene.faults.push(...faultsOf(scene, books).map((text) => ({ check, text })));
};

// ── A seed ──────────────────────────────────────────────────────────────────────────────────────

const STEPS = { fewest: 8, most: 18 } as const;
/** It takes more of them until bills meet. */
const STEPS_OF_BILLS = { fewest: 24, most: 44 } as const;

/** Of the card: so many that each voucher is for its limit, or hardly enough for a reward. */
const POINTS = { many: 400, few: { least: REWARD_COST, most: REWARD_COST + 9 }, fewPercent: 50 } as const;

/** By a chance of its own: the rest of the history does not hang on how it is drawn. */
const firstPointsOf = (seed: number): number => {
  const chance = new Chance(~seed);
  const { many, few, fewPercent } = POINTS;
  return chance.hits(fewPercent) ? chance.between(few.least, few.most) : many;
};

/** `end`: the history ends after so many steps. */
export const simulate = async (seed: number, stage: Stage, end = Infinity): Promise<Simulated> => {
  const { server, places, seams } = stage;
  const [chance, history] = [new Chance(seed), new History()];
  server.world.now = BEGIN;
  const place = await places.next(server.world, firstPointsOf(seed));
  const network = new SimulatedNetwork({ chance, history, server, seams }, 0);
  const scene = new Scene({ chance, history, server, network, place });
  // Of its own: devices look for their locks among all files of the folder.
  const folder = mkdtempSync(join(stage.folder, 'devices-'));
  try {
    await openDevices(scene, { folder, seams });
    network.trouble = chance.pick([0, 15, 40]) ?? 0;
    await openSharedTill(scene);
    for (const { name } of scene.devices.filter(() => chance.hits(40))) network.cut.add(name);
    const theme = chance.pick(Object.keys(THEMES)) ?? '';
    const steps = stepsOf(scene, theme);
    const { fewest, most } = theme === 'bills' ? STEPS_OF_BILLS : STEPS;
    const count = chance.between(fewest, most);
    for (let done = 0; done < Math.min(count, end); done += 1) {
      server.world.now += chance.between(1, 30) * 1_000;
      if (chance.hits(40)) await network.deliverLate();
      await chance.weighted(steps)(scene);
    }
    await heal(scene);
    await checkAll(scene);
  } finally {
    for (const device of scene.devices) await device.close();
    rmSync(folder, { recursive: true });
  }
  return { history: history.lines, faults: scene.faults };
};

export const openStage = async (
  database: Parameters<typeof SimulatedServer.open>[0],
  folder: string,
  seams: Seams = NO_FAULT,
): Promise<Stage> => ({
  ...{ places: new Places(), folder, seams },
  server: await SimulatedServer.open(database, seams),
});
