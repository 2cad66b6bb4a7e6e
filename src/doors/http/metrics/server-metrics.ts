/** The metrics of the HTTP server that are read at each scrape. */
import type { BodyReader } from '../body/reader.ts';
import type { Published } from '../cache/published-reads.ts';
import type { ConcurrencyLimit } from '../connections/concurrency-limit.ts';
import type { Connections } from '../connections/connections.ts';
import type { FloodGuard } from '../connections/flood-guard.ts';
import type { InFlight } from '../connections/in-flight.ts';
import type { Listening } from '../connections/listening.ts';
import type { Pipeline } from '../connections/pipeline.ts';
import type { Limits } from '../limits/limits.ts';
import type { Metrics } from '../metrics.ts';

interface Resources {
  readonly published: Published;
  readonly limits: Limits;
  readonly connections: Connections;
  readonly floodGuard: FloodGuard;
  readonly pipeline: Pipeline;
  readonly inFlight: InFlight;
  readonly bodies: BodyReader;
  readonly concurrencyLimit: ConcurrencyLimit;
  readonly listening: Listening;
}

type GaugeRow = readonly [name: string, help: string, read: () => number];

const heldByRequests = ({ pipeline, inFlight, bodies, concurrencyLimit }: Resources): readonly GaugeRow[] => [
  ['ahwa_http_requests_waiting', 'Requests that wait for an answer now.', concurrencyLimit.held],
  ['ahwa_http_requests_under_way', 'Requests whose answer is being made, or read.', inFlight.held],
  [
    'ahwa_http_requests_queued',
    'Requests that wait behind others on their connection.',
    () => pipeline.counts().requests,
  ],
  ['ahwa_http_queued_bytes', 'Bytes that these hold.', () => pipeline.counts().bytes],
  [
    'ahwa_http_requests_abandoned',
    'Requests whose client has hung up and whose work goes on.',
    concurrencyLimit.abandoned,
  ],
  ['ahwa_http_bodies_arriving', 'Request bodies that are being read.', () => bodies.counts().bodies],
  ['ahwa_http_body_bytes', 'Bytes held of bodies that are not parsed yet.', () => bodies.counts().bytes],
];

const heldByServer = ({ published, limits, connections, listening }: Resources): readonly GaugeRow[] => [
  ['ahwa_http_listeners', 'Connections accepted in a turn of the loop at most.', listening.handles],
  ['ahwa_http_connections', 'Open connections.', () => connections.counts().open],
  ['ahwa_published_bytes', 'Bytes of ready answers.', () => published.counts().bytes],
  ['ahwa_published_entries', 'Ready answers.', () => published.counts().entries],
  ['ahwa_limited_clients', 'Clients that the limits remember.', () => limits.size()],
];

export const registerServerMetrics = (metrics: Metrics, resources: Resources): void => {
  const { connections, pipeline, floodGuard, bodies, limits } = resources;
  for (const [name, help, read] of [...heldByServer(resources), ...heldByRequests(resources)])
    metrics.gauge(name, help, 'process', read);
  metrics.counters(
    'ahwa_http_cut_total',
    'Connections closed for others (idle, slow_reader), refused, or with too much in a row (queue, ahead); slow bodies.',
    'what',
    () => ({
      ...connections.counts().closed,
      ...{ queue: pipeline.counts().cut, ahead: floodGuard.ended(), slow_body: bodies.counts().cut },
    }),
  );
  metrics.counters('ahwa_limit_refusals_total', 'Requests refused by limits.', 'group', () => limits.refused);
};
