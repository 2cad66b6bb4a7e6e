/** `npm run audit` and `npm run sbom`, with real npm, a small checkout and a local registry. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const lockedPackage = (version: string, more: object = {}) => ({
  ...{ version, resolved: `https://registry.npmjs.org/x/-/x-${version}.tgz`, license: 'MIT' },
  integrity: `sha512-${Buffer.alloc(64, version).toString('base64')}`,
  ...more,
});

/**
 * Depends on minimist 0.0.8, which has the advisory GHSA-xvch-5gv4-984h, and on one package that both sides
 * need.
 */
const MANIFEST = {
  ...{ name: 'small', version: '1.0.0', engines: { node: '>=20' } },
  dependencies: { minimist: '0.0.8', shared: '1.0.0' },
  devDependencies: { tool: '2.0.0' },
};
const LOCK = {
  ...{ name: 'small', version: '1.0.0', lockfileVersion: 3, requires: true },
  packages: {
    '': MANIFEST,
    'node_modules/minimist': lockedPackage('0.0.8'),
    'node_modules/shared': lockedPackage('1.0.0'),
    'node_modules/tool': lockedPackage('2.0.0', { dev: true, dependencies: { shared: '1.0.0' } }),
  },
};

/** In the npm registry's format. */
const ADVISORY = {
  ...{ id: 1097677, url: 'https://github.com/advisories/GHSA-xvch-5gv4-984h' },
  ...{ title: 'Prototype Pollution in minimist', severity: 'critical', vulnerable_versions: '<0.2.4' },
  ...{
    cwe: ['CWE-1321'],
    cvss: { score: 9.8, vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' },
  },
};

let checkout: string;
let registry: Server;
let answerAudit: RequestListener;
/** Packages that npm sent to the audit service. */
let audited: string[];

const receive: RequestListener = (request, response) => {
  if (request.method === 'POST') {
    answerAudit(request, response);
    return;
  }
  // npm reads the versions to find one without the vulnerability.
  const name = decodeURIComponent((request.url ?? '').slice(1));
  const versions = Object.fromEntries(['0.0.8', '1.2.8'].map((version) => [version, { name, version }]));
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ name, 'dist-tags': { latest: '1.2.8' }, versions }));
};

const finding =
  (advisories: object): RequestListener =>
  (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const isZipped = request.headers['content-encoding'] === 'gzip';
      audited = Object.keys(JSON.parse((isZipped ? gunzipSync(body) : body).toString()) as object);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(advisories));
    });
  };

const refusing =
  (status: number): RequestListener =>
  (request, response) => {
    request.resume();
    response.writeHead(status).end();
  };

beforeEach(async () => {
  checkout = mkdtempSync(join(tmpdir(), 'ahwa-supply-'));
  cpSync(join(ROOT, 'scripts'), join(checkout, 'scripts'), { recursive: true });
  writeFileSync(join(checkout, 'package.json'), JSON.stringify(MANIFEST));
  writeFileSync(join(checkout, 'package-lock.json'), JSON.stringify(LOCK));
  audited = [];
  registry = createServer(receive).listen(0, '127.0.0.1');
  await once(registry, 'listening');
});
afterEach(() => {
  registry.closeAllConnections();
  registry.close();
  rmSync(checkout, { recursive: true, force: true });
});

const run = async (...args: readonly string[]): Promise<{ code: number | null; output: string }> => {
  const { port } = registry.address() as AddressInfo;
  const child = spawn(process.execPath, [join(checkout, 'scripts/run.mjs'), ...args], {
    env: {
      ...process.env,
      INIT_CWD: checkout,
      npm_config_registry: `http://127.0.0.1:${port}/`,
      npm_config_cache: join(checkout, 'cache'),
      npm_config_fetch_retries: '0',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [output] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, output };
};

describe('npm run audit', () => {
  test('the audit fails for a package with a critical vulnerability and names it', async () => {
    answerAudit = finding({ minimist: [ADVISORY] });
    const { code, output } = await run('audit');
    expect([code, output]).toEqual([1, expect.stringContaining('critical: minimist')]);
    expect(output).toContain('Prototype Pollution in minimist');
    expect(audited.sort()).toEqual(['minimist', 'shared']);
  });

  test('passes with moderate findings or none', async () => {
    answerAudit = finding({ minimist: [{ ...ADVISORY, severity: 'moderate' }] });
    expect(await run('audit')).toMatchObject({
      code: 0,
      output: expect.stringContaining('no package') as string,
    });
    answerAudit = finding({});
    expect(await run('audit')).toMatchObject({ code: 0 });
  });

  test.each([404, 405])(
    'reports NOT CHECKED where the registry has no audit service (%i)',
    async (status) => {
      answerAudit = refusing(status);
      expect(await run('audit')).toMatchObject({
        code: 0,
        output: expect.stringContaining('NOT CHECKED') as string,
      });
    },
  );

  test('fails when the registry answers 500 or without a report', async () => {
    answerAudit = refusing(500);
    expect(await run('audit')).toMatchObject({ code: 1 });
    answerAudit = (request, response) => {
      request.resume();
      response.end('hello');
    };
    expect(await run('audit')).toMatchObject({ code: 1 });
  });
});

describe('npm run sbom', () => {
  const file = (): string => join(checkout, 'artifacts/sbom.cdx.json');

  test('the bill of materials lists every runtime package and no tool', async () => {
    expect(await run('sbom')).toMatchObject({ code: 0 });
    const bill = JSON.parse(readFileSync(file(), 'utf8')) as {
      bomFormat: string;
      metadata: { component: { name: string } };
      components: { 'bom-ref': string; purl: string }[];
    };
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'small' } } });
    expect(bill.components.map((component) => component['bom-ref'])).toEqual([
      'minimist@0.0.8',
      'shared@1.0.0',
    ]);
    expect(bill.components.map(({ purl }) => purl)).toEqual([
      'pkg:npm/minimist@0.0.8',
      'pkg:npm/shared@1.0.0',
    ]);
  });

  test('the bill of materials fails for a package from outside the registry', async () => {
    const minimist = lockedPackage('0.0.8', { resolved: 'https://packages.example/minimist.tgz' });
    const packages = { ...LOCK.packages, 'node_modules/minimist': minimist };
    writeFileSync(join(checkout, 'package-lock.json'), JSON.stringify({ ...LOCK, packages }));
    const { code, output } = await run('sbom');
    expect([code, output]).toEqual([1, expect.stringContaining('comes from https://packages.example/')]);
  });

  test('the bill of materials fails for a package without SHA-512 and is not written', async () => {
    const packages = {
      ...LOCK.packages,
      'node_modules/minimist': lockedPackage('0.0.8', { integrity: undefined }),
    };
    writeFileSync(join(checkout, 'package-lock.json'), JSON.stringify({ ...LOCK, packages }));
    const { code, output } = await run('sbom');
    expect([code, output]).toEqual([1, expect.stringContaining('minimist@0.0.8 has no SHA-512')]);
    expect(existsSync(file())).toBe(false);
  });
});
