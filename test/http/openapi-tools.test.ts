/** Tools that other people use read both OpenAPI documents: two validators with their rules, two generators of clients. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { validate } from '@readme/openapi-parser';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { generateSource } from 'oazapfts';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MONA, proveOn } from '../support/people/guests.ts';
import { aStaffedWorld, signInAs } from '../support/people/staff.ts';
import { SLUG } from '../support/shops/cafe.ts';
import type { World } from '../support/server/world.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const DOCUMENTS = [
  ['public', '/openapi.json'],
  ['staff', '/openapi-staff.json'],
] as const;

let world: World;
/** With the packages of the tests, which the clients import. */
let folder: string;
/** A device token, and the header of a session. */
let tokens: readonly string[];
beforeAll(async () => {
  world = await aStaffedWorld();
  tokens = [await proveOn(world), (await signInAs(world, 'owner')).authorization];
  folder = mkdtempSync(join(tmpdir(), 'ahwa-clients-'));
  symlinkSync(join(ROOT, 'test/node_modules'), join(folder, 'node_modules'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await world.close();
});

const textAt = async (address: string): Promise<string> => (await world.get(address)).text;

test.each(DOCUMENTS)('Redocly finds nothing in the %s document', async (_side, address) => {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      // `/health` and `/ready` take no input and are not limited, so that no 4XX can be answered.
      'operation-4xx-response': 'off',
      // By default the rule forbids fields that a schema does not name. Here only `additionalProperties` forbids them.
      'no-invalid-media-type-examples': { severity: 'error', allowAdditionalProperties: true },
    },
  });
  const problems = await lintFromString({ source: await textAt(address), config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
    [],
  );
});

test.each(DOCUMENTS)('ReadMe’s parser finds nothing in the %s document', async (_side, address) => {
  const result = await validate(JSON.parse(await textAt(address)) as Parameters<typeof validate>[0]);
  expect(result).toEqual({ valid: true, warnings: [], specification: 'OpenAPI' });
});

const OPTIONS = {
  ...{ target: 'ES2023', module: 'NodeNext', lib: ['ES2023', 'DOM', 'DOM.Iterable'], types: ['node'] },
  ...{
    strict: true,
    skipLibCheck: true,
    noEmitOnError: true,
    typeRoots: [join(ROOT, 'node_modules/@types')],
  },
};

/** Ends with the exit code 0. The server of this process answers meanwhile. */
const outputOf = async (...args: readonly string[]): Promise<string> => {
  const run = spawn(process.execPath, args);
  let output = '';
  for (const stream of [run.stdout, run.stderr])
    stream.on('data', (bytes: Buffer) => (output += bytes.toString()));
  const [code] = (await once(run, 'close')) as [number];
  expect([code, output]).toEqual([0, output]);
  return output;
};

/** Compiles a program and the clients that it imports with the repository's TypeScript, runs it, and reads its output. */
const answersOf = async (name: string, program: string): Promise<unknown> => {
  const project = join(folder, `${name}.json`);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, `${name}.ts`), program);
  writeFileSync(project, JSON.stringify({ compilerOptions: OPTIONS, files: [`${name}.ts`] }));
  await outputOf(join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', project);
  return JSON.parse(await outputOf(join(folder, `${name}.js`), world.baseUrl, SLUG, ...tokens)) as unknown;
};

const ARGUMENTS = `const [baseUrl = '', slug = '', deviceToken = '', authorization = ''] = process.argv.slice(2);`;

const OPENAPI_TYPESCRIPT = `
import createClient from 'openapi-fetch';
import type { paths as PublicPaths } from './types-public.js';
import type { paths as StaffPaths } from './types-staff.js';
${ARGUMENTS}
const open = createClient<PublicPaths>({ baseUrl });
const staff = createClient<StaffPaths>({ baseUrl, headers: { authorization } });
const brand = await open.GET('/public/orgs/brand', { params: { query: { slug } } });
if (brand.data === undefined) throw new Error(brand.error.error);
const device = await open.GET('/public/otp/device', {
  params: { query: { org_id: brand.data.org_id }, header: { 'X-Device-Token': deviceToken } },
});
const sessions = await staff.GET('/staff/me/sessions');
if (device.data === undefined || sessions.data === undefined) throw new Error('refused');
console.log(JSON.stringify([brand.data.slug, device.data.phone, sessions.data.some(({ current }) => current)]));
`;

const OAZAPFTS = `
import { defaults as open, getBrand, getDevice } from './client-public.js';
import { defaults as staff, listSessions } from './client-staff.js';
${ARGUMENTS}
open.baseUrl = baseUrl;
staff.baseUrl = baseUrl;
staff.headers = { authorization };
const brand = await getBrand({ slug });
if (!('data' in brand && 'org_id' in brand.data)) throw new Error('refused');
const device = await getDevice(brand.data.org_id, { xDeviceToken: deviceToken });
const sessions = await listSessions();
if (!('phone' in device.data) || 'error' in sessions.data) throw new Error('refused');
console.log(JSON.stringify([brand.data.slug, device.data.phone, sessions.data.some(({ current }) => current)]));
`;

/** Brand by slug, whose phone a device token proves, and whether the session is among those of its person. */
const ANSWERS = [SLUG, MONA.phone, true];

test('clients of openapi-typescript compile, and get answers to a slug, a device token and a session', async () => {
  for (const [side, address] of DOCUMENTS) {
    const types = astToString(await openapiTS(await textAt(address)));
    writeFileSync(join(folder, `types-${side}.ts`), types);
  }
  expect(await answersOf('openapi-typescript', OPENAPI_TYPESCRIPT)).toEqual(ANSWERS);
});

test('clients of oazapfts compile, and get answers to a slug, a device token and a session', async () => {
  for (const [side, address] of DOCUMENTS) {
    const document = join(folder, `${side}.json`);
    writeFileSync(document, await textAt(address));
    writeFileSync(join(folder, `client-${side}.ts`), await generateSource(document));
  }
  expect(await answersOf('oazapfts', OAZAPFTS)).toEqual(ANSWERS);
});
