/** Sees for which shops the program writes in each transaction: two shops may be on two machines. */
import { PostgresDriver, type CompiledQuery, type DatabaseConnection } from 'kysely';

export interface Write {
  /** Null: of no shop. */
  readonly shop: unknown;
  /** The function that sends it. */
  readonly name: string;
}

const writes = new WeakMap<CompiledQuery, Write>();
const transactions = new WeakMap<DatabaseConnection, Write[]>();
const watched = new WeakSet<DatabaseConnection>();

/** `query` writes. */
export const noteWrite = (query: CompiledQuery, write: Write): void => {
  writes.set(query, write);
};

const watch = (connection: DatabaseConnection): void => {
  if (watched.has(connection)) return;
  watched.add(connection);
  const executeQuery = connection.executeQuery.bind(connection);
  connection.executeQuery = (query, ...more) => {
    const write = writes.get(query);
    if (write !== undefined) transactions.get(connection)?.push(write);
    return executeQuery(query, ...more);
  };
};

const driver = PostgresDriver.prototype as Pick<
  PostgresDriver,
  'acquireConnection' | 'beginTransaction' | 'commitTransaction'
>;
const { acquireConnection, beginTransaction, commitTransaction } = driver;

/** `committed` is told what each transaction has written. */
export const watchTransactions = (committed: (writes: readonly Write[]) => void): void => {
  driver.acquireConnection = async function (this: PostgresDriver) {
    const connection = await acquireConnection.call(this);
    watch(connection);
    return connection;
  };
  driver.beginTransaction = function (this: PostgresDriver, connection, settings) {
    transactions.set(connection, []);
    return beginTransaction.call(this, connection, settings);
  };
  driver.commitTransaction = function (this: PostgresDriver, connection) {
    committed(transactions.get(connection) ?? []);
    transactions.delete(connection);
    return commitTransaction.call(this, connection);
  };
};

/** Null: all are for one shop, or one of them is of a transaction that may write for many. */
export const faultOfWrites = (
  all: readonly Write[],
  mayWriteForMany: Readonly<Record<string, string>>,
): string | null => {
  const [first, ...others] = all.filter(({ shop }) => shop !== null);
  const other = others.find(({ shop }) => shop !== first?.shop);
  if (first === undefined || other === undefined || all.some(({ name }) => name in mayWriteForMany))
    return null;
  return `${other.name} writes for another shop than ${first.name} in one transaction`;
};
