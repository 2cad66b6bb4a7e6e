/**
 * Statements over all shops. Where the tables are spread and a node is silent, such a statement is sent for the shops of one
 * node after the other, and those of silent nodes are left out.
 */
import { sql, type CompiledQuery, type Kysely, type QueryExecutorProvider, type RawBuilder } from 'kysely';
import type { Uuid } from '../../../kernel/ids.ts';
import { DatabaseUnavailable, isSilence } from '../unavailable.ts';
import type { Node } from './answering.ts';
import { isSpread, nodesOf, type Nodes } from './spread.ts';

/** A condition of the statement at each of its tables. `column`: the id of the shop. */
export type OfShops = (column: string) => RawBuilder<boolean>;

/** Of a statement that names its shop, or is not sent for some shops. */
export const OF_ANY: OfShops = () => sql`true`;
const of =
  (shops: readonly Uuid[]): OfShops =>
  (column) =>
    sql`${sql.ref(column)} = any(${[...shops]}::uuid[])`;

const NONE: ReadonlySet<Uuid> = new Set();

interface Statement<R> {
  compile(db: QueryExecutorProvider): CompiledQuery<R>;
}

type Ask<R> = (ofShops: OfShops) => Statement<R>;

export interface Answers<R> {
  readonly rows: readonly R[];
  /** Of an update or a deletion. */
  readonly count: number;
  /** Shops whose nodes have not answered. */
  readonly unheard: ReadonlySet<Uuid>;
}

type Send<R> = (ofShops: OfShops) => Promise<Omit<Answers<R>, 'unheard'>>;

interface Sending<R> {
  readonly sendTo: Send<R>;
  readonly isTransaction: boolean;
}

/** Throws where no node answers, and in a transaction where one more falls silent: that has ended the transaction. */
const nodeByNode = async <R>(
  { silent: { nodes } }: Nodes,
  { sendTo, isTransaction }: Sending<R>,
  fault: unknown,
): Promise<Answers<R>> => {
  const rows: R[] = [];
  const unheard: Node[] = [];
  let [count, last] = [0, fault];
  for (const node of nodes) {
    if (node.isSilent) {
      unheard.push(node);
      continue;
    }
    try {
      const answer = await sendTo(of(node.shops));
      rows.push(...answer.rows);
      count += answer.count;
    } catch (silence) {
      if (!isSilence(silence) || isTransaction) throw silence;
      unheard.push(node);
      last = silence;
    }
  }
  if (unheard.length === nodes.length) throw last;
  return { rows, count, unheard: new Set(unheard.flatMap(({ shops }) => shops)) };
};

/** On one server, and while all nodes answer, the statement is sent once. */
export const ofAllShops = async <DB, R>(db: Kysely<DB>, ask: Ask<R>): Promise<Answers<R>> => {
  const sendTo: Send<R> = async (ofShops) => {
    const { rows, numAffectedRows = 0n } = await db.executeQuery(ask(ofShops).compile(db));
    return { rows, count: Number(numAffectedRows) };
  };
  const { isTransaction } = db;
  const nodes = await nodesOf(db);
  if (nodes !== null && nodes.silent.count > 0) {
    void nodes.silent.look();
    return nodeByNode(nodes, { sendTo, isTransaction }, nodes.silence());
  }
  try {
    return { ...(await sendTo(OF_ANY)), unheard: NONE };
  } catch (fault) {
    // The fault has ended a transaction; the next one knows the silent node.
    if (nodes === null || !isSilence(fault) || isTransaction) throw fault;
    await nodes.silent.look();
    return nodeByNode(nodes, { sendTo, isTransaction }, fault);
  }
};

/** The rows of the nodes that answer: for work that others find later. */
export const rowsHeard = async <DB, R>(db: Kysely<DB>, ask: Ask<R>): Promise<readonly R[]> =>
  (await ofAllShops(db, ask)).rows;

/** Throws DatabaseUnavailable while a node is silent. */
export const rowsOfEveryShop = async <DB, R>(db: Kysely<DB>, ask: Ask<R>): Promise<readonly R[]> => {
  const { rows, unheard } = await ofAllShops(db, ask);
  if (unheard.size > 0) throw new DatabaseUnavailable('silent');
  return rows;
};

/** The first row; null: there is none. Throws DatabaseUnavailable where it may be on a silent node. */
export const rowOfAnyShop = async <DB, R>(db: Kysely<DB>, ask: Ask<R>): Promise<R | null> => {
  const { rows, unheard } = await ofAllShops(db, ask);
  const [first] = rows;
  if (first === undefined && unheard.size > 0) throw new DatabaseUnavailable('silent');
  return first ?? null;
};

/** The id of the shop in a statement: that of the row of an alias, or one that is known. */
export type ShopIn = (alias: string) => RawBuilder<Uuid>;

/**
 * For a statement that finds a row of any shop. One server finds it by that statement; where the tables are spread, the shop
 * is asked for first, and the statement goes to its node alone.
 */
export const shopApart = async <DB>(db: Kysely<DB>, ask: Ask<{ readonly orgId: Uuid }>): Promise<ShopIn> => {
  if (!(await isSpread(db))) return (alias) => sql.ref(`${alias}.org_id`);
  const row = await rowOfAnyShop(db, ask);
  return () => sql`${row?.orgId ?? null}::uuid`;
};
