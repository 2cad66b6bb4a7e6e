#!/usr/bin/env node
import { existsSync } from 'node:fs';

const program = new URL('../dist/cli.js', import.meta.url);
if (existsSync(program)) await import(program.href);
else {
  console.error('ahwa: this checkout is not built yet; run "npm run build" in it (or "npm start" once)');
  process.exitCode = 1;
}
