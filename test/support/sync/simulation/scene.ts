/** A simulation while it runs: who is there, what really happened, and what each device believes of the tickets. */
import type { QueuedEvent } from '../../../../src/client/till/queue/event.ts';
import { isoInstant } from '../../../../src/kernel/time.ts';
import type { EventData, EventKind } from '../../../../src/sync/contract/event-kinds.ts';
import { newId } from '../../database/ids.ts';
import type { Chance } from './chance.ts';
import type { SimulatedDevice } from './device.ts';
import type { History } from './history.ts';
import { Ledger } from './ledger.ts';
import type { SimulatedNetwork } from './network.ts';
import type { MenuChange, PersonKey, Place } from './place.ts';
import type { SimulatedServer } from './server.ts';

/** Longest time that a request is under way, by the design of the network. */
export const UNDER_WAY_MS = 5 * 60_000;

/** A check that failed, and how. */
export interface Fault {
  readonly check: string;
  readonly text: string;
}

/** Live units of the lines of a ticket, as a device knows them. */
export type TicketView = Map<string, { units: number; readonly unitPrice: number }>;

/** What a person at a device knows and has done. */
export class Memory {
  readonly views = new Map<string, TicketView>();
  /** That it can put money into. */
  readonly tills = new Set<string>();
  /** Sales that went back. */
  readonly refunded = new Set<string>();
  /** That ended here. */
  readonly ended = new Set<string>();
}

interface Parts {
  readonly chance: Chance;
  readonly history: History;
  readonly server: SimulatedServer;
  readonly network: SimulatedNetwork;
  readonly place: Place;
}

export class Scene {
  readonly chance: Chance;
  readonly history: History;
  readonly server: SimulatedServer;
  readonly network: SimulatedNetwork;
  readonly place: Place;
  readonly ledger = new Ledger();
  readonly faults: Fault[] = [];
  readonly devices: SimulatedDevice[] = [];
  readonly #memories = new Map<string, Memory>();
  menu: MenuChange = { prices: {}, archived: [] };
  /** On the phone of the guest; null: nothing yet. */
  shownVoucher: string | null = null;

  constructor({ chance, history, server, network, place }: Parts) {
    this.chance = chance;
    this.history = history;
    this.server = server;
    this.network = network;
    this.place = place;
  }

  get now(): number {
    return this.server.world.now;
  }

  memory({ name }: Pick<SimulatedDevice, 'name'>): Memory {
    const known = this.#memories.get(name) ?? new Memory();
    this.#memories.set(name, known);
    return known;
  }

  /** Of devices that hear of it from the people at this one, without the server. */
  listeners(device: SimulatedDevice, percent: number): readonly Memory[] {
    return this.devices
      .filter((one) => one !== device && this.chance.hits(percent))
      .map((one) => this.memory(one));
  }

  /** Says what a person does at a device, and stores the event there. */
  async record<Kind extends EventKind>(
    device: SimulatedDevice,
    kind: Kind,
    person: PersonKey,
    data: EventData[Kind],
    what: string,
  ): Promise<void> {
    const event: QueuedEvent = {
      ...{ id: newId(), kind, at: isoInstant(device.clock), by: this.place.personId(person) },
      data,
    };
    this.ledger.events.set(event.id, this.now);
    this.history.say(this.now, `${device.name}, the ${person}`, device.clock, what);
    const { status } = await device.add(event);
    if (status !== 'idle') this.history.add(`its queue is ${status}`);
  }
}
