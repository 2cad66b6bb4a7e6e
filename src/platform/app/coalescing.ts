/**
 * Request coalescing: concurrent requests with one key share one query. A request that arrives while a query
 * runs joins the next one, so its answer is never older than the request.
 */

type RunQuery<Request, Answer> = (requests: readonly Request[]) => Promise<Answer>;

interface Batch<Request, Answer> {
  readonly requests: Request[];
  readonly answer: Promise<Answer>;
}

export class RequestCoalescer<Request, Answer> {
  readonly #pending = new Map<string, Batch<Request, Answer>>();
  readonly #running = new Map<string, Promise<unknown>>();

  request(key: string, request: Request, runQuery: RunQuery<Request, Answer>): Promise<Answer> {
    const next = this.#pending.get(key);
    if (next !== undefined) {
      next.requests.push(request);
      return next.answer;
    }
    const requests = [request];
    const answer = this.#runBatch(key, requests, runQuery);
    this.#pending.set(key, { requests, answer });
    return answer;
  }

  async #runBatch(
    key: string,
    requests: readonly Request[],
    runQuery: RunQuery<Request, Answer>,
  ): Promise<Answer> {
    // Requests that have already arrived are read in this turn of the event loop and join.
    await (this.#running.get(key) ?? new Promise((done) => setImmediate(done)));
    this.#pending.delete(key);
    const answer = runQuery(requests);
    const ended = answer.then(
      () => undefined,
      () => undefined,
    );
    this.#running.set(key, ended);
    try {
      return await answer;
    } finally {
      if (this.#running.get(key) === ended) this.#running.delete(key);
    }
  }
}
