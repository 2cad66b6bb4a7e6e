/** .well-known/security.txt has the configured contacts, and is 404 without any. */
import { describe, expect, test } from 'vitest';
import { httpRequest } from '../support/server/http-client.ts';
import { useProgram } from '../support/programs/program.ts';

const bench = useProgram('test', 'shared');
const PATH = '/.well-known/security.txt';

describe('security.txt', () => {
  test('has the contacts of SECURITY_CONTACT, and expires within a year of the start', async () => {
    const server = await bench.serve({
      SECURITY_CONTACT: 'mailto:security@cafe.example, https://cafe.example/x',
    });
    const { status, headers, text } = await httpRequest(server.port, PATH, {});
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
    expect((await httpRequest(server.port, PATH, {})).status).toBe(404);
  });

  test.each(['security@cafe.example', 'http://cafe.example/x', 'mailto:a@b.example, javascript:alert(1)'])(
    'the invalid contact %s stops the start with a message',
    async (SECURITY_CONTACT) => {
      const { code, stderr } = await bench.launch({ SECURITY_CONTACT }).ended;
      expect([code, stderr]).toEqual([1, expect.stringContaining('SECURITY_CONTACT is') as string]);
    },
  );
});
