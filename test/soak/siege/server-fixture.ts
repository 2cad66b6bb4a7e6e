/** The server under attack: the built program on an embedded database, with the demo shops and limits. */
import { join } from 'node:path';
import { worstShop } from '../../../bench/support/worst-bodies.ts';
import { dataFolder } from '../../support/programs/data-folder.ts';
import { freePort } from '../../support/programs/free-port.ts';
import {
  clearAway,
  listening,
  startProgram,
  type Program,
  type Server,
} from '../../support/programs/program.ts';
import { CLOCK_START } from './demo-fixture.ts';

export interface SiegeServer {
  readonly server: Server;
  readonly metricsPort: number;
  /** Stops or kills the server, and removes its data. */
  close(): Promise<void>;
}

/** Longer than the server's shutdown grace, ms. */
const STOP_MS = 20_000;

/** Throws when the server does not start, or the import of the shop of the heaviest carts fails. */
export const openSiegeServer = async (): Promise<SiegeServer> => {
  const dataDir = dataFolder();
  const metricsPort = await freePort();
  const programs: Program[] = [];
  const start = (file: string, args: readonly string[], input?: string): Program => {
    const settings = {
      ...{ DATA_DIR: dataDir, DEMO: 'true', CLOCK_START, METRICS_PORT: String(metricsPort) },
      ...{ OTP_SENDER: 'file', OTP_FILE: join(dataDir, 'messages.jsonl') },
      ...{ RATE_LIMIT_SCALE: process.env['RATE_LIMIT_SCALE'] ?? '1' },
    };
    const program = startProgram(file, args, settings, input);
    programs.push(program);
    return program;
  };
  const close = async (): Promise<void> => {
    const [server] = programs;
    if (server !== undefined && !server.hasEnded()) {
      const killing = setTimeout(() => server.signal('SIGKILL'), STOP_MS);
      server.signal('SIGTERM');
      await server.ended;
      clearTimeout(killing);
    }
    await clearAway(dataDir, programs);
  };
  try {
    const server = await listening(start('main.js', []));
    const { code, stderr } = await start('cli.js', ['import', '-'], JSON.stringify(worstShop())).ended;
    if (code !== 0) throw new Error(`the shop of the heaviest carts is not taken: ${stderr}`);
    return { server, metricsPort, close };
  } catch (fault) {
    await close();
    throw fault;
  }
};
