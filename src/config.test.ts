import { isAbsolute } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, configReference, loadConfig } from './config.ts';

const faultsOf = (env: Record<string, string>): readonly string[] => {
  try {
    loadConfig(env);
    return [];
  } catch (fault) {
    if (fault instanceof ConfigError) return fault.faults;
    throw fault;
  }
};

const KEY = 'k'.repeat(32);
const PRODUCTION = { NODE_ENV: 'production' };

describe('the default settings', () => {
  test('are port 8080, an embedded database, demo shops and the real time', () => {
    expect(loadConfig({})).toMatchObject({
      production: false,
      port: 8080,
      databaseUrl: null,
      baseUrl: 'http://localhost:8080',
      demo: true,
      clockStart: null,
      secretKeys: null,
      logLevel: 'info',
      migrateOnStart: true,
      metrics: { port: 9464, host: '127.0.0.1', chosen: false },
      rateLimitScale: 1,
      trustProxy: [],
      consoleOrigins: [],
      databasePoolSize: 10,
    });
  });

  test('have an absolute data folder', () => {
    const { dataDir } = loadConfig({});
    expect(isAbsolute(dataDir)).toBe(true);
    expect(dataDir.endsWith('data')).toBe(true);
  });

  test('have no demo shops in production', () => {
    expect(loadConfig(PRODUCTION).demo).toBe(false);
  });

  test('an empty variable counts as not set', () => {
    const empty = Object.fromEntries(configReference.map(({ key }) => [key, '']));
    expect(loadConfig(empty)).toEqual(loadConfig({}));
  });
});

const WHATSAPP = { WHATSAPP_TOKEN: 'EAAG', WHATSAPP_PHONE_ID: '106540352242922' };
const SMS = { SMS_URL: 'https://sms.example/send' };

describe('an allowed value', () => {
  test.each([
    [{ PORT: '0' }, { port: 0 }],
    [{ PORT: '9000' }, { port: 9000, baseUrl: 'http://localhost:9000' }],
    [{ BASE_URL: 'https://ahwa.example/' }, { baseUrl: 'https://ahwa.example' }],
    [{ BASE_URL: 'https://ahwa.example/api//' }, { baseUrl: 'https://ahwa.example/api' }],
    [
      { SERVICE_PLANS: 'قائمة=0, Orders = 450.5,A B=1200.05' },
      {
        service: {
          plans: [
            { name: 'قائمة', monthlyPiastresPerBranch: 0 },
            { name: 'Orders', monthlyPiastresPerBranch: 45_050 },
            { name: 'A B', monthlyPiastresPerBranch: 120_005 },
          ],
        },
      },
    ],
    [{ SERVICE_PLANS: 'none' }, { service: { plans: [] } }],
    [{ SERVICE_PLANS: 'Menu=0,,' }, { service: { plans: [{ name: 'Menu', monthlyPiastresPerBranch: 0 }] } }],
    [{ CLOCK_START: '2026-04-24T18:00:00Z' }, { clockStart: Date.UTC(2026, 3, 24, 18) }],
    [{ CLOCK_START: '2026-04-24T18:00+02:00' }, { clockStart: Date.UTC(2026, 3, 24, 16) }],
    [{ SECRET_KEY: ' new , old ' }, { secretKeys: ['new', 'old'] }],
    [{ METRICS_PORT: 'off' }, { metrics: null }],
    [{ METRICS_PORT: '0' }, { metrics: null }],
    [{ METRICS_PORT: '9464' }, { metrics: { port: 9464, host: '127.0.0.1', chosen: true } }],
    [{ RATE_LIMIT_SCALE: '0' }, { rateLimitScale: 0 }],
    [{ RATE_LIMIT_SCALE: '0.25' }, { rateLimitScale: 0.25 }],
    [
      { MESSAGE_BUDGETS: 'total=10, +966 = 5' },
      {
        messageBudgets: {
          ...{ total: 10, shop: 500, address: 20 },
          prefixes: new Map([
            ['+20', 3_000],
            ['+966', 5],
          ]),
        },
      },
    ],
    [
      { MESSAGE_BUDGETS: '+20=0', RATE_LIMIT_SCALE: '2' },
      { messageBudgets: { total: 6_000, prefixes: new Map([['+20', 0]]) } },
    ],
    [{ RATE_LIMIT_SCALE: '0' }, { messageBudgets: null }],
    [{ TRUST_PROXY: '10.0.0.0/8, ::1,fd00::/8' }, { trustProxy: ['10.0.0.0/8', '::1', 'fd00::/8'] }],
    [
      { CONSOLE_ORIGINS: 'https://Console.ahwa.example:443/, http://localhost:5173' },
      { consoleOrigins: ['https://console.ahwa.example', 'http://localhost:5173'] },
    ],
    [{ WEBHOOK_ALLOW: 'Till.internal:8443' }, { webhookAllow: [{ host: 'till.internal', port: 8443 }] }],
    [
      { ...WHATSAPP, ...SMS, OTP_SENDER: 'whatsapp,sms' },
      { sender: { kind: 'whatsapp', codes: ['whatsapp', 'sms'] } },
    ],
    [{ ...WHATSAPP, ...SMS }, { sender: { kind: 'console' } }],
    [
      { ...WHATSAPP, ...SMS, OTP_SENDER: 'sms, whatsapp', SMS_AUTHORIZATION: 'Bearer abc' },
      {
        sender: {
          codes: ['sms', 'whatsapp'],
          sms: {
            url: SMS.SMS_URL,
            method: 'POST',
            contentType: 'application/json',
            authorization: 'Bearer abc',
          },
        },
      },
    ],
    [{ ...WHATSAPP, ...SMS, OTP_SENDER: 'whatsapp' }, { sender: { codes: ['whatsapp'], sms: null } }],
    [{ ...WHATSAPP }, { sender: { kind: 'console' } }],
    [{ ...SMS, OTP_SENDER: 'console' }, { sender: { kind: 'console' } }],
    [{ DEMO: 'false' }, { demo: false }],
    [{ MIGRATE_ON_START: '0' }, { migrateOnStart: false }],
    [{ DATABASE_URL: 'postgres://a:b@db/ahwa' }, { databaseUrl: 'postgres://a:b@db/ahwa' }],
    [{ HOST: '::' }, { host: '::' }],
    [{ LOG_LEVEL: 'silent' }, { logLevel: 'silent' }],
    [{ NODE_ENV: 'test' }, { production: false, demo: true }],
  ])('%j is read', (env, expected) => {
    expect(loadConfig(env)).toMatchObject(expected);
  });
});

describe('a value that is not allowed', () => {
  test.each([
    ['PORT', ['abc', '-1', '65536', '80.5', '0x50', '1e3', '８０']],
    ['HOST', ['a b', 'http://x']],
    [
      'BASE_URL',
      ['localhost:8080', 'ftp://x', 'https://x/?a=1', 'https://x/#a', 'https://me:secret@x', '//x'],
    ],
    [
      'CONSOLE_ORIGINS',
      [
        '*',
        'console.example',
        'http://console.example',
        'https://x/staff',
        'https://x?a=1',
        'https://me@x',
        ',',
      ],
    ],
    ['DATA_DIR', ['a\0b']],
    ['DATABASE_POOL_SIZE', ['0', '501', 'many']],
    ['MIGRATE_ON_START', ['yes', 'TRUE', 'toString', '2']],
    ['DEMO', ['maybe']],
    [
      'CLOCK_START',
      [
        '2026-04-24',
        '2026-04-24T18:00',
        '2026-02-30T00:00:00Z',
        '2026-13-01T00:00:00Z',
        '2026-04-24T24:00:00Z',
        'now',
        '1777000000000',
      ],
    ],
    [
      'SERVICE_PLANS',
      [
        ...[
          'Menu',
          'Menu=',
          '=5',
          'A\nB=1',
          'A=x',
          'A=-1',
          'A=1.005',
          'A=1,A=2',
          'A=1e3',
          'A=1234567',
          'A=1=2',
        ],
        ...[',', ', ,', 'A=1,B'],
      ],
    ],
    ['SERVICE_NAME', ['two\nlines', 'bell\u0007']],
    ['LOG_LEVEL', ['verbose', 'INFO']],
    ['METRICS_PORT', ['on', '-1', '70000']],
    ['RATE_LIMIT_SCALE', ['-1', 'NaN', 'Infinity', '1e3', '.5', '1.']],
    [
      'TRUST_PROXY',
      ['10.0.0.0/33', 'proxy.example', '::/129', '10.0.0.1/8/8', '1.2.3.4,x', '10.0.0.0/', ','],
    ],
    ['OTP_SENDER', ['sms', 'whatsapp,whatsapp', 'file,sms', 'SMS']],
    ['SMS_METHOD', ['GET', 'post']],
    ['SMS_CONTENT_TYPE', ['text/xml']],
    ['NODE_ENV', ['prod', 'Production']],
  ])('a wrong %s is reported with its value and what is allowed', (key, wrong) => {
    const allowed = configReference.find((entry) => entry.key === key)?.allowed ?? 'missing';
    for (const value of wrong) {
      expect(faultsOf({ [key]: value })).toEqual([
        `${key} is ${JSON.stringify(value)}; it must be ${allowed}.`,
      ]);
    }
  });

  test('a wrong SMS_URL is reported without its value, which may hold a key', () => {
    for (const wrong of [
      ...['http://sms.example/send', 'http://10.0.0.1/send', 'https://sms.example/send?user=a'],
      ...['https://a:b@sms.example/', 'sms.example', 'ftp://sms.example/', 'https://sms.example/{phone}'],
    ])
      expect(faultsOf({ SMS_URL: wrong })).toEqual([
        expect.stringMatching(/^SMS_URL has a wrong value; it must be an https:/),
      ]);
  });

  test('a wrong MESSAGE_BUDGETS is reported entry by entry', () => {
    const [first, ...others] = faultsOf({ MESSAGE_BUDGETS: 'total=1e3, shops=5, +20=1, +20=2, 966=4' });
    expect(first).toContain('it must be budgets such as');
    expect(others).toEqual([
      'MESSAGE_BUDGETS: "total=1e3" is no budget.',
      'MESSAGE_BUDGETS: there is no budget called shops.',
      'MESSAGE_BUDGETS: +20 is given twice.',
      'MESSAGE_BUDGETS: "966=4" is no budget.',
    ]);
    for (const wrong of [',', 'total', 'total=-1', 'total=12345678', '+0=1', 'total=5;shop=4'])
      expect(faultsOf({ MESSAGE_BUDGETS: wrong }).length, wrong).toBeGreaterThan(0);
  });

  test('a wrong WEBHOOK_ALLOW is reported entry by entry', () => {
    const [first, ...others] = faultsOf({ WEBHOOK_ALLOW: '10.0.0.0/8, 127.1, 169.254.169.254' });
    expect(first).toContain('it must be host names, IP addresses or CIDR ranges');
    expect(others).toEqual([
      'WEBHOOK_ALLOW: "127.1" is no host name, address or range.',
      'WEBHOOK_ALLOW: "169.254.169.254" is link-local, unspecified or special, which is never permitted.',
    ]);
  });

  test('a wrong SMS_BODY is reported placeholder by placeholder, without its text', () => {
    const [first, ...details] = faultsOf({ SMS_BODY: '{"key":"s3cret","to":"{phone}","text":"{message}"}' });
    expect(first).toMatch(/^SMS_BODY has a wrong value; it must be /);
    expect(details).toEqual([
      'SMS_BODY: there is no placeholder {message}.',
      'SMS_BODY: the placeholder {text} is missing.',
    ]);
  });

  test('a body for the SMS gateway that is not of its content type is reported', () => {
    const form = { SMS_BODY: 'to={phone}&text={text}' };
    expect(faultsOf(form)[0]).toMatch(/^SMS_BODY is not of the form that SMS_CONTENT_TYPE says/);
    expect(faultsOf({ ...form, SMS_CONTENT_TYPE: 'application/x-www-form-urlencoded' })).toEqual([]);
  });

  test('a sender without its settings is reported', () => {
    expect(faultsOf({ ...WHATSAPP, OTP_SENDER: 'whatsapp,sms' })).toEqual([
      'SMS_URL is missing; OTP_SENDER names sms, which needs it.',
    ]);
    expect(faultsOf({ ...SMS, OTP_SENDER: 'sms,whatsapp' })[0]).toMatch(/^WHATSAPP_TOKEN or/);
  });

  test('a secret is never shown', () => {
    expect(faultsOf({ DATABASE_URL: 'mysql://user:hunter2@db' }).join()).not.toContain('hunter2');
    // Each would be read as another server or database, whose name commands print.
    for (const password of ['2024/hunter2', '20#hunter2', '20?hunter2']) {
      const faults = faultsOf({ DATABASE_URL: `postgres://ahwa:${password}@db/ahwa` });
      expect(faults).toHaveLength(1);
      expect(faults.join()).not.toContain('hunter2');
    }
    expect(faultsOf({ SECRET_KEY: ',,' })).toEqual([
      'SECRET_KEY has a wrong value; it must be one or more keys with commas between them.',
    ]);
  });

  test('a very long value is shortened in the report', () => {
    expect(faultsOf({ PORT: '9'.repeat(5_000) })[0]?.length).toBeLessThan(200);
  });

  test('all wrong settings are reported at once', () => {
    const faults = faultsOf({ PORT: 'x', LOG_LEVEL: 'x', DATABASE_URL: 'x', PATH: 'not our business' });
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual(['PORT', 'DATABASE_URL', 'LOG_LEVEL']);
  });
});

describe('production', () => {
  test('production refuses CLOCK_START', () => {
    expect(faultsOf({ ...PRODUCTION, CLOCK_START: '2026-04-24T18:00:00Z' })[0]).toContain('CLOCK_START');
  });

  test('production refuses the demo shops', () => {
    expect(faultsOf({ ...PRODUCTION, DEMO: 'true' })[0]).toContain('DEMO');
  });

  test('production requires a secret key with DATABASE_URL, and each key long enough', () => {
    const withUrl = { ...PRODUCTION, DATABASE_URL: 'postgres://db/ahwa' };
    expect(faultsOf(withUrl)[0]).toContain('SECRET_KEY is missing');
    expect(faultsOf({ ...withUrl, SECRET_KEY: `${KEY},short` })[0]).toContain('SECRET_KEY is too short');
    expect(faultsOf({ ...withUrl, SECRET_KEY: KEY })).toEqual([]);
  });
});

test('every setting has a sentence in the reference', () => {
  expect(configReference.map(({ key }) => key)).toEqual(
    expect.arrayContaining(['PORT', 'SECRET_KEY', 'NODE_ENV']),
  );
  for (const entry of configReference) expect(entry.doc).toMatch(/\.$/);
});
