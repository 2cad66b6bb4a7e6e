/**
 * The official conformance suites against the dispatcher, behind the program's own HTTP doors: over the tools that
 * the suites ask for, and over those of the program. Every scenario is told of: it passes, or why it does not apply.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openHttpServer } from '../support/server/http-server.ts';
import { makeWorld } from '../support/server/world.ts';
import { expectationsOf, UNFINISHED, type Expectation, type Served } from './expected.ts';
import { fixtureServer } from './fixtures.ts';
import { runSuite, type Report, type Selection } from './suite.ts';

/** A loopback address, as by default: pages of other origins are kept out then. */
const AT_HOME = 'http://localhost:8080';

interface Server {
  readonly port: number;
  close(): Promise<void>;
}

const SERVERS: Readonly<Record<Served, () => Promise<Server>>> = {
  fixtures: () => openHttpServer({}, { messages: fixtureServer(), baseUrl: AT_HOME, limitScale: 0 }),
  production: () => makeWorld({ baseUrl: AT_HOME }),
};

const SELECTIONS: readonly Selection[] = [
  { suite: '0.1', revision: '2025-06-18' },
  { suite: '0.1', revision: null },
  { suite: '0.2', revision: '2025-03-26' },
  { suite: '0.2', revision: '2025-06-18' },
  { suite: '0.2', revision: '2025-06-18', only: 'dns-rebinding-protection' },
  { suite: '0.2', revision: null },
];

/** Added by the newer suite to each of its scenarios: all that was sent is of the revision's schema. */
const EVERYWHERE = 'wire-schema-valid';

type Found = Pick<Expectation, 'unmet'> & { readonly passes: boolean };

const foundIn = ({ scenarios }: Report, scenario: string): Found | undefined => {
  const checks = scenarios[scenario];
  if (checks === undefined) return undefined;
  if (checks === null) return { unmet: [UNFINISHED], passes: false };
  const unmet = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
  const met = checks.some(({ id, status }) => status === 'SUCCESS' && id !== EVERYWHERE);
  return { unmet: [...new Set(unmet.map(({ id }) => id))].sort(), passes: met && unmet.length === 0 };
};

/** The faults in the suite's own words, shown when a test fails. */
const wordsOf = ({ scenarios, said }: Report, scenario: string): string =>
  scenarios[scenario]
    ?.map(({ id, status, errorMessage = '' }) => `${status} ${id} ${errorMessage}`)
    .join('\n') ?? said;

const verdictOf = ({ because }: Expectation): string =>
  because === null ? 'passes' : `does not apply: ${because}`;

const named = ({ suite, revision, only }: Selection): string =>
  `suite ${suite}, ${only ?? 'all'} ${revision === null ? 'in every revision it knows' : `at ${revision}`}`;

describe.each(Object.keys(SERVERS) as Served[])('%s', (served) => {
  let server: Server;
  beforeAll(async () => {
    server = await SERVERS[served]();
  });
  afterAll(() => server.close());

  describe.each(SELECTIONS.map((selection) => [named(selection), selection] as const))(
    '%s',
    (_, selection) => {
      const expectations = expectationsOf(served, selection);
      let report: Report;
      beforeAll(async () => {
        report = await runSuite(selection, `http://127.0.0.1:${server.port}/mcp`);
      });

      test('has exactly the scenarios that the table lists', () => {
        expect(Object.keys(report.scenarios).sort(), report.said).toEqual(Object.keys(expectations).sort());
      });

      test.each(
        Object.entries(expectations).map(
          ([scenario, expectation]) => [scenario, verdictOf(expectation), expectation] as const,
        ),
      )('%s %s', (scenario, _verdict, { because, unmet }) => {
        expect(foundIn(report, scenario), wordsOf(report, scenario)).toEqual({
          passes: because === null,
          unmet: [...unmet].sort(),
        });
      });
    },
  );
});
