// `npm run sbom [file]`: the packages that the program runs on, as CycloneDX, from the lock file alone.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { root, say, Stop } from './checkout.mjs';
import { askNpm } from './npm.mjs';

const REGISTRY = 'https://registry.npmjs.org/';
const STANDARD_FILE = join(root, 'artifacts', 'sbom.cdx.json');

const readJson = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'));

/** `name@version` of every package of the lock file that is not for development alone. */
const locked = () =>
  Object.entries(readJson('package-lock.json').packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)}@${version}`);

/** Packages that would be had from another place than the registry that npm asks, as lines. */
const elsewhere = () =>
  Object.entries(readJson('package-lock.json').packages)
    .filter(([, { resolved = REGISTRY }]) => !resolved.startsWith(REGISTRY))
    .map(([path, { resolved }]) => `${path} comes from ${resolved}, which is not ${REGISTRY}`);

const hasHash = ({ hashes }) =>
  hashes?.some(({ alg, content }) => alg === 'SHA-512' && content !== '') === true;

/** What is wrong with a bill, as lines. */
const faultsOf = (bill) => {
  const listed = new Map(bill.components.map((component) => [component['bom-ref'], component]));
  const wanted = new Set(locked());
  return [
    ...[...wanted]
      .filter((ref) => !listed.has(ref))
      .map((ref) => `${ref} is in the lock file and not in the bill`),
    ...[...listed]
      .filter(([, part]) => !hasHash(part))
      .map(([ref]) => `${ref} has no SHA-512 to be known by`),
    ...elsewhere(),
  ];
};

/** The bill without what only development needs. `--omit=dev` would drop what both need. */
const ofProduction = (bill) => {
  const wanted = new Set([bill.metadata.component['bom-ref'], ...locked()]);
  return {
    ...bill,
    components: bill.components.filter((component) => wanted.has(component['bom-ref'])),
    dependencies: bill.dependencies
      .filter(({ ref }) => wanted.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => wanted.has(other)) })),
  };
};

/** Writes the bill once it is known to be whole; resolves with the exit code. */
export const sbom = async ([file]) => {
  const whole = await askNpm('sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--offline');
  if (whole.bomFormat !== 'CycloneDX') throw new Stop('npm sbom gave something else than CycloneDX');
  const bill = ofProduction(whole);
  // npm names it after its folder.
  bill.metadata.component.name = readJson('package.json').name;
  const faults = faultsOf(bill);
  if (faults.length > 0) throw new Stop(`the bill of materials is not whole:\n  ${faults.join('\n  ')}`);
  const path = file === undefined ? STANDARD_FILE : resolve(process.env.INIT_CWD ?? process.cwd(), file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(bill, null, 2)}\n`);
  say(`${bill.components.length} packages in ${path}`);
  return 0;
};
