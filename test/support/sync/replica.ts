/** A device's copy of its branch, kept by `POST /sync/pull`. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { BranchCopy } from '../../../src/client/till/branch-copy.ts';
import { FEED_TYPES } from '../../../src/platform/domain/feed.ts';
import type { ReplyOf } from '../../../src/platform/contract/endpoint.ts';
import type { EndpointOf } from '../../../src/service/contract/endpoints.ts';
import { ROWS } from '../../../src/sync/contract/rows.ts';
import { done, post } from '../server/requests.ts';
import type { World } from '../server/world.ts';

type Pulled = ReplyOf<EndpointOf<'pullChanges'>>;
export type Change = Pulled['changes'][number];
type Headers = Readonly<Record<string, string>>;

export interface HowToPull {
  readonly branchId: string;
  readonly device: Headers;
  /** Rows of a page. */
  readonly limit?: number;
  readonly types?: readonly Change['type'][];
}

export const pull = async (
  world: World,
  { branchId, device, limit, types }: HowToPull,
  body: { readonly since?: number; readonly cursor?: string } = {},
): Promise<Pulled> => {
  const page = { ...(limit === undefined ? {} : { limit }), ...(types === undefined ? {} : { types }) };
  return done(
    'pullChanges',
    await post(world, '/sync/pull', { branch_id: branchId, ...page, ...body }, device),
  );
};

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv, { mode: 'full' });
const validators = new Map<string, ValidateFunction>();

/** Throws for a row that is not as the documents say. */
const checkRow = ({ type, data }: Change): void => {
  if (data === null) return;
  const validate = validators.get(type) ?? ajv.compile(ROWS[type]);
  validators.set(type, validate);
  if (!validate(data))
    throw new Error(`a row of ${type} is not as documented: ${ajv.errorsText(validate.errors)}`);
  const schema: object = ROWS[type];
  const members = 'anyOf' in schema ? (schema.anyOf as object[]) : [schema];
  const named = new Set(members.flatMap((one) => Object.keys((one as { properties: object }).properties)));
  const extra = Object.keys(data).filter((field) => !named.has(field));
  if (extra.length > 0) throw new Error(`a row of ${type} has ${extra.join()}, which is not documented`);
};

/** The copy of a device, whose every row is as the documents say. */
export class Replica {
  readonly #world: World;
  readonly #how: HowToPull;
  #copy: BranchCopy;

  constructor(world: World, how: HowToPull) {
    this.#world = world;
    this.#how = how;
    this.#copy = new BranchCopy(how.branchId);
  }

  /** Of the same device, without any state yet. */
  another(): Replica {
    return new Replica(this.#world, this.#how);
  }

  get copy(): BranchCopy {
    return this.#copy;
  }

  /** Where it has come to; null: it has no state yet, or must read the whole one. */
  get since(): number | null {
    return this.#copy.next().since ?? null;
  }

  async #pull(): Promise<Pulled> {
    const page = await pull(this.#world, this.#how, this.#copy.next());
    page.changes.forEach(checkRow);
    this.#copy.apply(page);
    return page;
  }

  /** The whole state in pages; `between` runs after each of them. */
  async begin(between: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    for (let page = await this.#pull(); page.cursor !== undefined; page = await this.#pull()) await between();
  }

  /** One page of changes, which are returned; the whole state where the server asks for that. */
  async step(): Promise<Pulled> {
    const page = await this.#pull();
    if (page.resync_required === true) await this.begin();
    return page;
  }

  /** Everything that has changed. */
  async catchUp(): Promise<void> {
    while ((await this.step()).has_more);
  }

  /** The device starts again with what it has stored. */
  restart(): void {
    this.#copy = new BranchCopy(this.#how.branchId, this.#copy.saved());
  }

  /** By type and id. */
  get rows(): Readonly<Record<string, Change['data']>> {
    const rows = FEED_TYPES.flatMap((type) =>
      this.of(type).map((data): [string, Change['data']] => [`${type} ${String(data['id'])}`, data]),
    );
    return Object.fromEntries(rows.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  of(type: Change['type']): readonly NonNullable<Change['data']>[] {
    return this.#copy.rows(type);
  }
}

/** A replica that has just read the whole state. */
export const freshReplica = async (world: World, how: HowToPull): Promise<Replica> => {
  const replica = new Replica(world, how);
  await replica.begin();
  return replica;
};
