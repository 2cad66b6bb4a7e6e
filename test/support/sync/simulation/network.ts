/** The network between devices and the server: what it does to a request is drawn by chance. */
import type { Chance } from './chance.ts';
import type { History } from './history.ts';
import type { Body, Seams } from './seams.ts';
import type { Crash, SimulatedServer } from './server.ts';

type Fate = 'arrives' | 'is lost' | 'arrives, its answer is lost' | 'is late' | 'arrives twice';

/** Most seconds that a request is under way. */
const MOST_SECONDS = 20;

interface LateRequest {
  readonly device: string;
  readonly path: string;
  readonly init: RequestInit & { readonly body: string };
}

/** The client sends JSON. */
const bodyOf = ({ body }: RequestInit): Body => JSON.parse(typeof body === 'string' ? body : '{}') as Body;

interface Parts {
  readonly chance: Chance;
  readonly history: History;
  readonly server: SimulatedServer;
  readonly seams: Seams;
}

const networkFault = (): Error => new TypeError('fetch failed');

interface Answered {
  readonly outcome: string;
  readonly code?: string | null;
  readonly vars?: { readonly reasons?: readonly { readonly code: string }[] };
}

const outcomeOf = (text: string): string => {
  const { results = [] } = JSON.parse(text) as { results?: readonly Answered[] };
  return results
    .map(({ outcome, code, vars }) => {
      const codes = vars?.reasons?.map((one) => one.code) ?? (code ? [code] : []);
      return codes.length === 0 ? outcome : `${outcome} (${codes.join(', ')})`;
    })
    .join(', ');
};

export class SimulatedNetwork {
  readonly #parts: Parts;
  readonly #late: LateRequest[] = [];
  /** The ids of events that were sent. */
  readonly #sent = new Set<string>();
  /** Devices without line. */
  readonly cut = new Set<string>();
  /** In per cent: how often a request does not simply arrive. */
  trouble: number;
  /** Of the server, during the next request with events; null: none. */
  crash: Crash | null = null;

  constructor(parts: Parts, trouble: number) {
    this.#parts = parts;
    this.trouble = trouble;
  }

  #fate(): Fate {
    const { chance } = this.#parts;
    if (!chance.hits(this.trouble)) return 'arrives';
    return chance.weighted<Fate>([
      ...([
        [2, 'is lost'],
        [4, 'arrives, its answer is lost'],
      ] as const),
      ...([
        [3, 'is late'],
        [2, 'arrives twice'],
      ] as const),
    ]);
  }

  /** As the device's client calls it. */
  fetchOf(device: string): typeof globalThis.fetch {
    return async (address, init = {}) => {
      const path = new URL(address instanceof Request ? address.url : address).pathname;
      if (this.cut.has(device)) throw networkFault();
      const request = { device, path, init: this.#changed(path, init) };
      const fate = this.#fate();
      this.#say(request, fate);
      if (fate === 'is lost') throw networkFault();
      if (fate === 'is late' || fate === 'arrives twice') this.#late.push(request);
      if (fate === 'is late') throw networkFault();
      const answer = await this.#arrive(request);
      if (answer === null || fate === 'arrives, its answer is lost') throw networkFault();
      return answer;
    };
  }

  #changed(path: string, init: RequestInit): LateRequest['init'] {
    const { seams } = this.#parts;
    const body = bodyOf(init) as Body & { events?: { id: string }[] };
    const ids = (body.events ?? []).map(({ id }) => id);
    const isRepeated = ids.some((id) => this.#sent.has(id));
    ids.forEach((id) => this.#sent.add(id));
    const headers = init.headers ?? {};
    return { method: 'POST', headers, body: JSON.stringify(seams.request(path, body, isRepeated)) };
  }

  #say({ device, path, init }: LateRequest, what: string): void {
    const { events } = bodyOf(init) as { events?: unknown[] };
    const content = events === undefined ? '' : ` with ${events.length} events`;
    this.#parts.history.add(`${device} asks ${path}${content}, which ${what}`);
  }

  /** Null: the server ended before it answered. */
  async #arrive({ path, init }: LateRequest): Promise<Response | null> {
    const { chance, history, server, seams } = this.#parts;
    server.world.now += chance.between(0, MOST_SECONDS) * 1_000;
    const crash = path === '/sync/replay' ? this.crash : null;
    if (crash !== null) this.crash = null;
    const answer = await server.answer(path, init, crash);
    if (answer === null) {
      history.add('the server ends in the middle of it, and is started again');
      return null;
    }
    const { status, text } = answer;
    if (path === '/sync/replay') history.add(`the server says: ${status === 200 ? outcomeOf(text) : status}`);
    const body = status === 200 ? JSON.stringify(seams.answer(path, JSON.parse(text) as Body)) : text;
    return new Response(body, { status, headers: { 'content-type': 'application/json' } });
  }

  /** Requests that were late arrive, in any order; nobody hears their answers. */
  async deliverLate(): Promise<void> {
    while (this.#late.length > 0) {
      const [request] = this.#late.splice(this.#parts.chance.between(0, this.#late.length - 1), 1);
      if (request === undefined) return;
      this.#say(request, 'arrives late');
      await this.#arrive(request);
    }
  }

  heal(): void {
    this.cut.clear();
    this.trouble = 0;
  }
}
