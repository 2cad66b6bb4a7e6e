/** /.well-known/security.txt says what the operator says, and is not there where nothing is said. */
import { describe, expect, test } from 'vitest';
import { ask } from '../support/doors.ts';
import { aBench } from '../support/program.ts';

const bench = aBench('test', 'lent');
const PATH = '/.well-known/security.txt';

describe('security.txt', () => {
  test('has the contacts of SECURITY_CONTACT, and expires within a year of the start', async () => {
    const server = await bench.serve({
      SECURITY_CONTACT: 'mailto:security@cafe.example, https://cafe.example/x',
    });
    const { status, headers, text } = await ask(server.port, PATH, {});
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    const lines = text.trim().split('\n');
    expect(lines.filter((line) => line.startsWith('Contact: '))).toEqual([
      'Contact: mailto:security@cafe.example',
      'Contact: https://cafe.example/x',
    ]);
    const [expires = '', ...others] = lines.flatMap((line) => /^Expires: (.+)$/.exec(line)?.[1] ?? []);
    expect(others).toEqual([]);
    const days = (Date.parse(expires) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(30);
    expect(days).toBeLessThan(365);
  });

  test('is 404 where no contact is set', async () => {
    const server = await bench.serve();
    expect((await ask(server.port, PATH, {})).status).toBe(404);
  });

  test.each(['security@cafe.example', 'http://cafe.example/x', 'mailto:a@b.example, javascript:alert(1)'])(
    'a contact that is no such address stops the start with a sentence: %s',
    async (SECURITY_CONTACT) => {
      const { code, stderr } = await bench.launch({ SECURITY_CONTACT }).ended;
      expect([code, stderr]).toEqual([1, expect.stringContaining('SECURITY_CONTACT is') as string]);
    },
  );
});
