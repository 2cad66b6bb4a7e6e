import { describe, expect, test } from 'vitest';
import { CircuitBreaker, openMs, type CircuitRule } from './circuit-breaker.ts';

const RULE: CircuitRule = { failuresToOpen: 5, firstOpenMs: 5_000, longestOpenMs: 60_000 };

test('the open time begins at the fifth failure and doubles up to its longest', () => {
  expect([0, 1, 4, 5, 6, 7, 8, 9, 10, 1_000].map((failures) => openMs(RULE, failures) / 1_000)).toEqual([
    ...[0, 0, 0],
    ...[5, 10, 20, 40, 60, 60, 60],
  ]);
});

describe('a circuit', () => {
  const failedTimes = (times: number, now = 0): CircuitBreaker => {
    const circuit = new CircuitBreaker(RULE);
    for (let n = 0; n < times; n += 1) circuit.failed(now);
    return circuit;
  };

  test('stays closed below five failures', () => {
    const circuit = failedTimes(4);
    expect(circuit.isClosed).toBe(true);
    expect([circuit.mayCall(0), circuit.mayCall(0)]).toEqual([true, true]);
  });

  test('is open for its open time, then half-open for one call per open time', () => {
    const circuit = failedTimes(5);
    expect(circuit.isClosed).toBe(false);
    expect([circuit.state(4_999), circuit.mayCall(4_999)]).toEqual(['open', false]);
    expect(circuit.state(5_000)).toBe('half-open');
    expect([circuit.mayCall(5_000), circuit.mayCall(5_000), circuit.mayCall(9_999)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(circuit.mayCall(10_000)).toBe(true);
  });

  test('opens for twice as long when the call of a half-open circuit fails', () => {
    const circuit = failedTimes(5);
    circuit.mayCall(5_000);
    circuit.failed(6_000);
    expect([circuit.state(15_999), circuit.state(16_000)]).toEqual(['open', 'half-open']);
  });

  test('is closed by a success in any state, and then counts failures from zero', () => {
    const circuit = failedTimes(9);
    circuit.succeeded();
    expect(circuit.state(0)).toBe('closed');
    for (let n = 0; n < 4; n += 1) circuit.failed(0);
    expect(circuit.state(0)).toBe('closed');
    circuit.failed(0);
    expect(circuit.state(0)).toBe('open');
  });
});
