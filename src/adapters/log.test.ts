import { describe, expect, test } from 'vitest';
import { createLog, withoutPhones } from './log.ts';

const logged = (write: (log: ReturnType<typeof createLog>) => void, level = 'info'): string => {
  const lines: string[] = [];
  write(createLog(level, { write: (line) => lines.push(line) }));
  return lines.join('');
};

describe('a log line', () => {
  test('keeps the code of an error', () => {
    const err = Object.assign(new Error('duplicate key'), { code: '23505' });
    expect(JSON.parse(logged((log) => log.error({ err, code: 'ECONNRESET' }, 'x')))).toMatchObject({
      code: 'ECONNRESET',
      err: { code: '23505' },
    });
  });

  test('a log line is one JSON object with level, time and message', () => {
    const line = logged((log) => log.info({ requestId: 'r1' }, 'served'));
    expect(JSON.parse(line)).toMatchObject({ level: 'info', requestId: 'r1', msg: 'served' });
    expect(line.endsWith('\n')).toBe(true);
  });

  test('is not written below the configured level', () => {
    expect(logged((log) => log.info('quiet'), 'warn')).toBe('');
    expect(logged((log) => log.fatal('quiet'), 'silent')).toBe('');
  });

  test('a log line never contains a secret, wherever the secret stands', () => {
    const headers = {
      authorization: 'Bearer s3cret',
      cookie: 's3cret',
      'x-device-token': 's3cret',
      'x-known-device': 's3cret',
      accept: 'json',
    };
    const line = logged((log) =>
      log.info(
        {
          authorization: 's3cret',
          headers,
          req: { headers },
          body: { member_token: 's3cret', pin: 's3cret', known_device: 's3cret', new_password: 's3cret' },
          second_factor: { totp: 's3cret', recovery_code: 's3cret' },
        },
        'x',
      ),
    );
    expect(line).not.toContain('s3cret');
    expect(line).toContain('"accept":"json"');
  });

  test('a log line never contains a phone, not even inside another text', () => {
    const line = logged((log) =>
      log.error(
        {
          url: '/x?phone=%2B201001234567',
          err: new Error('no such guest: 01001234567'),
          lines: 'guests:\n01001234567\t201001234567',
          to: ['+20 100 123 4567'],
        },
        'sent to +201001234567',
      ),
    );
    expect(line.replace(/\D+/g, ' ')).not.toMatch(/1234567/);
    expect(line).not.toMatch(/123 ?4567/);
    expect(() => JSON.parse(line) as unknown).not.toThrow();
  });
});

test.each([
  '+201001234567',
  '00201001234567',
  '201001234567',
  '01001234567',
  '+20 100 123 4567',
  '+20 (100) 123-4567',
  '0100 123 4567',
  '%2B201001234567',
  '٠١٠٠١٢٣٤٥٦٧',
  '۰۱۰۰۱۲۳۴۵۶۷',
  '+966501234567',
  '+44 20 7946 0958',
])('only the last two digits of the phone %s are logged', (phone) => {
  expect(withoutPhones(`{"msg":"for ${phone}, now"}`)).toBe(`{"msg":"for •••• ${phone.slice(-2)}, now"}`);
});

test.each([
  '2026-11-20T11:25:44.123Z',
  '3f2504e0-4f89-41d3-9a0c-012345678901',
  '0123456789abcdef0123456789abcdef',
  '127.0.0.1:8080',
  '12345678',
  'a price of 1250 and 45 items',
  '1.2345678901234',
])('%s is not masked as a phone', (text) => {
  expect(withoutPhones(text)).toBe(text);
});
