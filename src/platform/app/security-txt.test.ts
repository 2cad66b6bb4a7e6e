import { expect, test } from 'vitest';
import { securityText } from './security-txt.ts';

const clock = { now: () => Date.parse('2026-11-22T07:00:00Z') };

test('security.txt has its contacts in order, its expiry and its own address', () => {
  const contacts = ['mailto:security@cafe.example', 'https://cafe.example/security'];
  expect(securityText({ clock, baseUrl: 'https://ahwa.example' }, contacts)).toBe(
    'Contact: mailto:security@cafe.example\n' +
      'Contact: https://cafe.example/security\n' +
      'Expires: 2027-05-21T07:00:00.000Z\n' +
      'Canonical: https://ahwa.example/.well-known/security.txt\n',
  );
});

test.each(['http://localhost:8080', 'https://host.example/ahwa'])(
  'security.txt has no Canonical line for the base URL %s',
  (baseUrl) => {
    expect(securityText({ clock, baseUrl }, ['mailto:a@b.example'])).not.toContain('Canonical');
  },
);
