/**
 * What is expected of every scenario of both suites: that it passes, or that it does not apply, with the reason in a
 * sentence and the checks that it then finds unmet. Decisions 14 fixes what is tested: tools, three revisions,
 * no sessions, no streams.
 */
import type { Selection } from './suite.ts';

/** Behind the dispatcher: the suites' own tools (fixtures.ts), or those of the program. */
export type Served = 'fixtures' | 'production';

export interface Expectation {
  /** The revision whose suites first have it. */
  readonly since: string;
  /** Null: it passes. */
  readonly because: string | null;
  /** Ids of checks that fail or warn; what a suite leaves unfinished counts as one. */
  readonly unmet: readonly string[];
}

type Expectations = Readonly<Record<string, Expectation>>;

export const UNFINISHED = '(given up)';

const passing = (since: string, ...scenarios: readonly string[]): Expectations =>
  Object.fromEntries(scenarios.map((scenario) => [scenario, { since, because: null, unmet: [] }]));

/** A scenario of one check, which is called as it is itself, is named alone; else with the checks it finds unmet. */
const notApplying = (
  because: string,
  since: string,
  ...scenarios: readonly (string | readonly [scenario: string, ...unmet: string[]])[]
): Expectations =>
  Object.fromEntries(
    scenarios.map((entry) => {
      const [scenario, ...unmet] = typeof entry === 'string' ? [entry, entry] : entry;
      return [scenario, { since, because, unmet }];
    }),
  );

const NEWER = 'It speaks a revision newer than ours, which is refused by name';

/** Whatever is served. */
const ALWAYS: Expectations = {
  ...passing('2025-06-18', 'server-initialize', 'ping', 'tools-list'),
  ...passing('2025-11-25', 'dns-rebinding-protection'),
  ...notApplying('There are no sessions, and the suite leaves off by itself', '2025-03-26', [
    'server-session-lifecycle',
  ]),
  ...notApplying(
    'There are no resources',
    '2025-06-18',
    ...['resources-list', 'resources-read-text', 'resources-read-binary', 'resources-templates-read'],
    ...['resources-subscribe', 'resources-unsubscribe'],
  ),
  ...notApplying(
    'There are no prompts',
    '2025-06-18',
    ...['prompts-list', 'prompts-get-simple', 'prompts-get-with-args', 'prompts-get-embedded-resource'],
    'prompts-get-with-image',
  ),
  ...notApplying('Nothing is completed for the client', '2025-06-18', 'completion-complete'),
  ...notApplying(
    'Nothing is logged to the client',
    '2025-06-18',
    'logging-set-level',
    'tools-call-with-logging',
  ),
  ...notApplying(
    'There is no stream that news of progress could come on',
    '2025-06-18',
    'tools-call-with-progress',
  ),
  ...notApplying(
    'There are no streams',
    '2025-11-25',
    ['server-sse-polling', 'server-sse-polling-session'],
    ['server-sse-multiple-streams', 'server-sse-multiple-streams-session'],
  ),
  ...notApplying(
    'The client is asked nothing',
    '2025-06-18',
    'tools-call-sampling',
    'tools-call-elicitation',
  ),
  ...notApplying(
    'The client is asked nothing',
    '2025-11-25',
    ['elicitation-sep1034-defaults', 'elicitation-sep1034-general'],
    ['elicitation-sep1330-enums', 'elicitation-sep1330-general'],
  ),
  // Any refusal is right there.
  ...passing(
    '2026-07-28',
    'input-required-result-unsupported-methods',
    'input-required-result-validate-input',
  ),
  ...notApplying(
    NEWER,
    '2026-07-28',
    [
      'server-stateless',
      'sep-2575-discover-capabilities-match-handlers',
      'sep-2575-http-server-header-mismatch-400',
      'sep-2575-http-server-method-not-found-404',
      'sep-2575-http-server-method-not-found-404-initialize',
      'sep-2575-http-server-method-not-found-404-logging-setlevel',
      'sep-2575-http-server-method-not-found-404-ping',
      'sep-2575-http-server-method-not-found-404-resources-subscribe',
      'sep-2575-http-server-method-not-found-404-resources-unsubscribe',
      'sep-2575-http-server-no-independent-requests-on-stream',
      'sep-2575-missing-capability-http-400',
      'sep-2575-request-meta-client-info-optional',
      'sep-2575-request-meta-invalid-missing-client-capabilities',
      'sep-2575-request-meta-invalid-missing-meta',
      'sep-2575-request-meta-invalid-missing-protocol-version',
      'sep-2575-server-declares-prompts-in-discover',
      'sep-2575-server-identifies-in-result-meta',
      'sep-2575-server-implements-discover',
      'sep-2575-server-no-log-without-loglevel',
      'sep-2575-server-rejects-undeclared-capability',
      'sep-2575-server-sends-subscription-ack',
      'sep-2575-server-tags-subscription-id',
      'sep-2575-server-unsupported-version-error',
    ],
    [
      'caching',
      'sep-2549-cache-scope-valid',
      'sep-2549-prompts-list-caching-hints',
      'sep-2549-resources-list-caching-hints',
      'sep-2549-resources-templates-list-caching-hints',
      'sep-2549-tools-list-caching-hints',
      'sep-2549-ttl-non-negative',
    ],
    [
      'http-header-validation',
      'sep-2243-server-accepts-whitespace-header-value',
      'sep-2243-server-reject-invalid-headers',
      'sep-2243-server-standard-setup',
    ],
    [
      'http-custom-header-server-validation',
      'sep-2243-server-custom-setup',
      'sep-2243-server-decode-base64',
      'sep-2243-server-reject-invalid-param-chars',
      'sep-2243-server-reject-param-mismatch',
      'sep-2243-server-validate-param-match',
    ],
    ['sep-2164-resource-not-found', 'sep-2164-data-uri', 'sep-2164-error-code'],
    ['input-required-result-basic-elicitation', 'sep-2322-elicitation-incomplete'],
    ['input-required-result-basic-list-roots', 'sep-2322-list-roots-incomplete'],
    ['input-required-result-basic-sampling', 'sep-2322-sampling-incomplete'],
    ['input-required-result-capability-check', 'sep-2322-respect-client-capabilities'],
    ['input-required-result-ignore-extra-params', 'sep-2322-ignore-unexpected-params'],
    ['input-required-result-missing-input-response', 'sep-2322-missing-response-rerequests'],
    ['input-required-result-multi-round', 'sep-2322-multi-round-r1'],
    ['input-required-result-multiple-input-requests', 'sep-2322-multiple-inputs-incomplete'],
    ['input-required-result-non-tool-request', 'sep-2322-non-tool-incomplete'],
    ['input-required-result-request-state', 'sep-2322-request-state-incomplete'],
    ['input-required-result-result-type', 'sep-2322-result-type-included'],
    ['input-required-result-tampered-state', 'sep-2322-reject-tampered-state'],
  ),
  ...notApplying(
    'It tests an extension of a newer revision, skills, of which there are none',
    '2026-07-28',
    ['sep-2640-skills-directory', UNFINISHED],
    ['sep-2640-skills-enumeration', UNFINISHED],
    ['sep-2640-skills-manifest', UNFINISHED],
  ),
  ...notApplying(
    'It tests an extension of a newer revision, tasks, of which there are none',
    '2026-07-28',
    ['tasks-capability-negotiation', UNFINISHED],
    ['tasks-status-notifications'],
    [
      'tasks-dispatch-and-envelope',
      'sep-2663-durable-create-strong-consistency',
      'sep-2663-legacy-task-param-ignored',
      'sep-2663-tasks-get-invalid-task-id-32602',
      'sep-2663-tasks-result-removed-method-not-found',
      'tasks-immediate-result-shortcut',
      'tasks-removed-tasks-list',
      'tasks-result-type-complete-on-non-task-responses',
      'tasks-server-directed-creation-no-hint',
    ],
    [
      'tasks-lifecycle',
      'sep-2663-cancel-ack-empty-result',
      'sep-2663-result-type-task-on-create',
      'sep-2663-tasks-get-status-completed',
      'sep-2663-tasks-get-status-failed',
      'sep-2663-tasks-get-status-working',
      'sep-2663-tool-error-uses-completed-status',
      'tasks-cancel-terminal-idempotent-ack',
      'tasks-sync-tool-call',
    ],
    ['tasks-mrtr-composition', 'sep-2663-mrtr-synchronous-before-task-creation'],
    [
      'tasks-mrtr-input',
      'sep-2663-tasks-get-status-input-required',
      'tasks-mrtr-partial-fulfillment',
      'tasks-mrtr-tasks-update-resumes',
    ],
    [
      'tasks-request-headers',
      'sep-2663-routing-headers-accepted-on-tasks-get',
      'sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get',
      'tasks-headers-reject-mismatched-method',
      'tasks-headers-tolerate-mcp-method-on-tools-call',
    ],
    ['tasks-request-state-removal', 'tasks-request-state-removal-setup'],
    ['tasks-required-task-error', 'sep-2663-server-returns-missing-capability-when-required'],
    [
      'tasks-wire-fields',
      'tasks-no-early-ttl-expiry',
      'tasks-no-related-task-meta-on-inlined-result',
      'tasks-wire-field-renames',
    ],
  ),
};

const CALLS = [
  ...['tools-call-simple-text', 'tools-call-image', 'tools-call-audio', 'tools-call-embedded-resource'],
  ...['tools-call-mixed-content', 'tools-call-error'],
];
const ONLY_FIXTURES = "It wants a tool of the suite's own";

const WITH: Readonly<Record<Served, Expectations>> = {
  fixtures: { ...passing('2025-06-18', ...CALLS), ...passing('2025-11-25', 'json-schema-2020-12') },
  production: {
    ...notApplying(ONLY_FIXTURES, '2025-06-18', ...CALLS),
    ...notApplying(ONLY_FIXTURES, '2025-11-25', ['json-schema-2020-12', 'json-schema-2020-12-tool-found']),
  },
};

/** It sends a notification in the words of 2025-11-25 after 2025-06-18 was agreed; run in our own, it passes. */
const UNAGREED = notApplying(
  'It names a revision in a header that was not the one agreed, which is refused',
  '2025-11-25',
  ['dns-rebinding-protection', 'localhost-host-valid-accepted'],
);

const isIn = ({ suite, revision, only }: Selection, scenario: string, { since }: Expectation): boolean => {
  if (only !== undefined) return scenario === only;
  if (suite === '0.1' && (since < '2025-06-18' || since > '2025-11-25')) return false;
  return revision === null || since <= revision;
};

/** What a run must find, scenario by scenario: neither more nor less. */
export const expectationsOf = (served: Served, selection: Selection): Expectations => {
  const { suite, revision } = selection;
  const all = { ...ALWAYS, ...WITH[served], ...(suite === '0.2' && revision === null ? UNAGREED : {}) };
  return Object.fromEntries(
    Object.entries(all).filter(([scenario, expectation]) => isIn(selection, scenario, expectation)),
  );
};
