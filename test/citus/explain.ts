/** What Citus does with a statement. */
import pg from 'pg';
import type { Sent } from '../support/statements/sent.ts';

const textOf = (value: unknown): string => {
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value))
    return `{${value.map((one) => (one === null ? 'null' : JSON.stringify(textOf(one)))).join(',')}}`;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const literalOf = (value: unknown): string => (value === null ? 'null' : pg.escapeLiteral(textOf(value)));

/** Without parameters, with which Citus explains no insert from a select. */
export const explained = async (client: pg.Client, { text, values }: Sent): Promise<string> => {
  const whole = text.replace(/\$(\d+)/g, (_, number) => literalOf(values[Number(number) - 1]));
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${whole}`);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
};

const depthOf = (line: string): number => line.search(/\S/);

/** Citus sends what a part of a statement has made to all nodes where another part inserts with it. */
const insertsWhatIsMade = (plan: string): boolean => {
  const lines = plan.split('\n');
  return lines.some((line, place) => {
    if (!line.includes('INSERT/SELECT method: pull to coordinator')) return false;
    const after = lines.slice(place + 1);
    const end = after.findIndex((other) => depthOf(other) < depthOf(line));
    return after
      .slice(0, end === -1 ? undefined : end)
      .some((other) => other.includes('read_intermediate_result'));
  });
};

/** Null: one node has all that is asked. */
export const faultOf = (plan: string): string | null => {
  const counts = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count));
  if (counts.some((count) => count > 1)) return 'it asks several shards';
  return insertsWhatIsMade(plan) ? 'an insert reads what another part of the statement has made' : null;
};
