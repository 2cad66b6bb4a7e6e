/**
 * A process that appends events 1, 2, 3 … to the file of a device, `size` letters each, and prints the number of each
 * when it is durable: one JSON line each, `{ fault }` where it cannot. Ends when its standard input ends.
 */
import { openFileStore } from '../../../src/client/till/node/file-store.ts';
import { anEvent } from '../sync/till-events.ts';

const [path = '', count = '', size = '1'] = process.argv.slice(2);

const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const faultOf = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault));

const note = 'x'.repeat(Number(size));

try {
  const store = await openFileStore(path);
  print({ isOpen: true });
  for (let number = 1; number <= Number(count); number += 1) {
    try {
      await store.append([anEvent(number, note)]);
      print({ number });
    } catch (fault) {
      print({ number, fault: faultOf(fault) });
    }
  }
  process.stdin.once('end', () => void store.close());
} catch (fault) {
  print({ fault: faultOf(fault) });
}
process.stdin.resume();
