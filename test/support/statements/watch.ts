/** Sees every statement that Kysely compiles in this process, and who sends it. */
import { appendFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PostgresQueryCompiler, type CompiledQuery } from 'kysely';
import { EXCEPTIONS, GLOBAL_TABLES, OF_MANY_SHOPS } from './exceptions.ts';
import { faultOfWrites, noteWrite, watchTransactions } from './transactions.ts';
import { judge, namesOneShop, type Judged } from './one-shop.ts';

export const SRC = `${resolve(import.meta.dirname, '../../../src')}/`;

/** What the workers of a run have seen: `sent <file>:<line>` and `excepted <file> <function>`. */
export const REPORT = 'statements';

const isOutside = (file: string): boolean =>
  !file.includes('/node_modules/') && !file.includes(import.meta.filename);
const isProgram = (file: string): boolean => file.startsWith(SRC) && !/\.test\.tsx?$/.test(file);

/** Where the program sends a statement, in compiled code; null: a test sends it. Cheap, for each statement. */
const callerOf = (): string | null => {
  const trace: { stack?: unknown } = {};
  const format: { prepareStackTrace?: unknown } = Error;
  const { prepareStackTrace } = format;
  format.prepareStackTrace = (_fault: Error, sites: NodeJS.CallSite[]) => sites;
  Error.captureStackTrace(trace);
  const sites = trace.stack as NodeJS.CallSite[];
  format.prepareStackTrace = prepareStackTrace;
  const fileOf = (site: NodeJS.CallSite): string => (site.getFileName() ?? '').replace('file://', '');
  const caller = sites.find((site) => fileOf(site) !== '' && isOutside(fileOf(site)));
  if (caller === undefined || !isProgram(fileOf(caller))) return null;
  return `${fileOf(caller)}:${caller.getLineNumber() ?? 0}:${caller.getColumnNumber() ?? 0}`;
};

/** These run statements of their callers. */
const RUNNERS = [
  ...['firstMember', 'firstShop', 'park', 'sendTo', 'nodeByNode', 'ofAllShops'],
  ...['rowsHeard', 'rowsOfEveryShop', 'rowOfAnyShop', 'shopApart'],
];

interface Site {
  /** `<file>:<line>` */
  readonly place: string;
  /** `<file> <function>`; of a function without a name the file alone. */
  readonly name: string;
}

/** In the code as written, by the source maps of the test runner. */
const siteOf = (stack: string): Site => {
  const frames = stack.split('\n').flatMap((frame) => {
    const [, name = '', file, line = ''] =
      /at (?:(?:async )?(\S+) \()?[^\s(]*?\/src\/([^\s:]+):(\d+)/.exec(frame) ?? [];
    return file === undefined || !isOutside(frame) ? [] : [{ name, file, line }];
  });
  const [inner] = frames;
  const { file, name } = frames.find((frame) => !RUNNERS.includes(frame.name)) ?? {};
  if (inner === undefined || file === undefined)
    throw new Error(`A statement of no function of src: ${stack}`);
  return { place: `${inner.file}:${inner.line}`, name: `${file} ${name ?? ''}`.trim() };
};

interface Known extends Judged {
  /** The function that sends it. */
  readonly name: string;
}

const seen = new Map<string, Map<string, Known>>();
const report: string[] = [];
const faults: string[] = [];

/** Long enough to reach a caller of RUNNERS. */
const FRAMES = 30;

const stackHere = (): string => {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = FRAMES;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  return stack;
};

const judgeFirst = ({ sql }: CompiledQuery, tables: ReadonlySet<string>): Known => {
  const { place, name } = siteOf(stackHere());
  const judged = { ...judge(sql, tables), name };
  report.push(`sent ${place}`);
  if (judged.faults.length === 0) return judged;
  if (name in EXCEPTIONS) report.push(`excepted ${name}`);
  else faults.push(`${place} (${name}) does not name its shop at: ${judged.faults.join(', ')}\n${sql}`);
  return judged;
};

const check = (query: CompiledQuery, tables: ReadonlySet<string>): void => {
  const caller = callerOf();
  if (caller === null) return;
  const texts = seen.get(caller) ?? new Map<string, Known>();
  seen.set(caller, texts);
  const known = texts.get(query.sql) ?? judgeFirst(query, tables);
  texts.set(query.sql, known);
  if (!namesOneShop(known, query.parameters)) faults.push(`${caller} names two shops\n${query.sql}`);
  const [shop] = known.shops;
  if (known.isWrite)
    noteWrite(query, { shop: shop === undefined ? null : query.parameters[shop - 1], name: known.name });
};

const prototype = Object.getPrototypeOf(PostgresQueryCompiler.prototype) as Pick<
  PostgresQueryCompiler,
  'compileQuery'
>;
const { compileQuery } = prototype;

/** `tables`: those with the shop's id. */
export const watchStatements = (tables: readonly string[]): void => {
  const ofShops = new Set(tables.filter((table) => !(table in GLOBAL_TABLES)));
  prototype.compileQuery = function (this: PostgresQueryCompiler, ...args): CompiledQuery {
    const query = compileQuery.apply(this, args);
    check(query, ofShops);
    return query;
  };
  watchTransactions((writes) => {
    const fault = faultOfWrites(writes, OF_MANY_SHOPS);
    if (fault !== null) faults.push(fault);
  });
};

/** Adds what was seen since the last call to the report of the run. Returns the faults since then. */
export const takeFaults = (runFolder: string): readonly string[] => {
  if (report.length > 0) appendFileSync(join(runFolder, REPORT), report.splice(0).join('\n') + '\n');
  return faults.splice(0);
};
