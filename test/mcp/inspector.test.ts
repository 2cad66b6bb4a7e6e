/** The official inspector's command line as a process, over HTTP. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tools } from '../../src/service/contract/tools.ts';
import { makeDemo } from '../support/shops/demo.ts';
import type { World } from '../support/server/world.ts';

const INSPECTOR = fileURLToPath(
  new URL('../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url),
);

let world: World;
/** Folder of the inspector's state. */
let home: string;
/** A branch that takes bookings. */
let branch: string;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'ahwa-inspector-'));
  const made = await makeDemo();
  world = made.world;
  branch = made.demo.shops.find(({ slug }) => slug === 'layaly')?.branches[0]?.id ?? expect.fail('no branch');
});
afterAll(async () => {
  rmSync(home, { recursive: true, force: true });
  await world.close();
});

interface Ended {
  readonly code: number | null;
  /** The parsed output; undefined when empty. */
  readonly printed: unknown;
  readonly complaint: string;
}

const inspect = (...args: readonly string[]): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const command = [INSPECTOR, '--cli', `${world.baseUrl}/mcp`, '--format', 'json', '--method', ...args];
    const child = spawn(process.execPath, command, {
      env: { HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const text = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text.stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text.stderr += chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      const printed: unknown = text.stdout === '' ? undefined : JSON.parse(text.stdout);
      resolve({ code, printed, complaint: text.stderr });
    });
  });

const call = (tool: string, ...args: readonly string[]): Promise<Ended> =>
  inspect('tools/call', '--tool-name', tool, ...args);

const names = Object.keys(tools).map((name) => expect.objectContaining({ name }) as object);
const textWith = (words: string) => [{ type: 'text', text: expect.stringContaining(words) as string }];

test('the inspector lists the tools and finds no faulty schema in strict mode', async () => {
  expect(await inspect('tools/list', '--strict')).toEqual({
    code: 0,
    printed: { result: { tools: names } },
    complaint: '',
  });
});

test('the inspector lists the tools also after probing for a newer revision', async () => {
  expect(await inspect('tools/list', '--protocol-era', 'auto')).toEqual({
    code: 0,
    printed: { result: { tools: names } },
    complaint: '',
  });
});

test('the inspector calls a tool with arguments as options or as JSON', async () => {
  const answered = {
    code: 0,
    printed: {
      result: {
        content: textWith('Sunday 22 November 2026'),
        structuredContent: expect.objectContaining({ shop: 'layaly', party_size: 2 }) as object,
      },
    },
    complaint: '',
  };
  const typed = [`branch_id=${branch}`, 'date=2026-11-22', 'party_size=2'];
  expect(await call('get_booking_slots', '--tool-arg', ...typed)).toEqual(answered);
  const json = JSON.stringify({ branch_id: branch, date: '2026-11-22', party_size: 2 });
  expect(await call('get_booking_slots', '--tool-args-json', json)).toEqual(answered);
});

test('the inspector calls a tool without arguments', async () => {
  expect(await call('about_ahwa')).toMatchObject({
    code: 0,
    printed: { result: { content: textWith('Ahwa'), structuredContent: { name: 'Ahwa', currency: 'EGP' } } },
  });
});

test('the inspector prints a refusal and exits with an error', async () => {
  const { code, printed, complaint } = await call('get_shop', '--tool-arg', 'shop=no-such-shop');
  expect(printed).toEqual({ result: { content: textWith('no-such-shop'), isError: true } });
  expect([code, JSON.parse(complaint)]).toMatchObject([5, { error: { code: 'tool_is_error' } }]);
});
