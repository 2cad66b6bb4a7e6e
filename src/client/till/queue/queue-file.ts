/** The events of a device as one text, to be carried to another device of its branch or to a person who can help. */
import {
  eventFaults,
  EventFaults,
  isRecord,
  isRefusedEvent,
  type QueuedEvent,
  type RefusedEvent,
} from './event.ts';

const FORMAT = 'ahwa-till-events';
const VERSION = 1;

export interface QueueContents {
  readonly events: readonly QueuedEvent[];
  readonly refused: readonly RefusedEvent[];
}

interface QueueFileHead {
  readonly branchId: string;
  /** ISO 8601. */
  readonly deviceTime: string;
}

export const writeQueueFile = (
  { branchId, deviceTime }: QueueFileHead,
  { events, refused }: QueueContents,
): string => {
  const head = { format: FORMAT, version: VERSION, branch_id: branchId, device_time: deviceTime };
  return `${JSON.stringify({ ...head, events, refused }, null, 1)}\n`;
};

const parsed = (text: string, branchId: string): Readonly<Record<string, unknown>> => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new EventFaults(['the file is not JSON: it is cut off, or it is another file']);
  }
  if (!isRecord(value) || value['format'] !== FORMAT)
    throw new EventFaults([`the file has no events of a till: its format is not ${FORMAT}`]);
  if (value['version'] !== VERSION)
    throw new EventFaults([
      `the file is of version ${String(value['version'])}; this program reads ${VERSION}`,
    ]);
  // The server books an event in the branch of the device that sends it. Older files name no branch.
  const { branch_id: branch = branchId } = value;
  if (branch !== branchId)
    throw new EventFaults([`the file is of branch ${String(branch)}; this device is of ${branchId}`]);
  return value;
};

const refusedFaults = (value: unknown, index: number): string[] => {
  const event = isRecord(value) ? value['event'] : undefined;
  const faults = eventFaults(event, `refused[${index}].event.`);
  return faults.length > 0 || isRefusedEvent(value)
    ? faults
    : [`refused[${index}] has no code, vars and message as they were written`];
};

const repeated = (ids: readonly string[]): string[] =>
  [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))].map((id) => `${id} is there twice`);

/** Throws EventFaults with every fault: a file is taken as a whole or not at all. `branchId`: of the device that reads it. */
export const readQueueFile = (text: string, branchId: string): QueueContents => {
  const { events, refused } = parsed(text, branchId);
  if (!Array.isArray(events) || !Array.isArray(refused))
    throw new EventFaults(['events or refused is not a list']);
  const faults = [
    ...events.flatMap((event, index) => eventFaults(event, `events[${index}].`)),
    ...refused.flatMap(refusedFaults),
  ];
  if (faults.length > 0) throw new EventFaults(faults);
  const contents = { events: events as QueuedEvent[], refused: refused as RefusedEvent[] };
  const ids = [...contents.events, ...contents.refused.map(({ event }) => event)].map(({ id }) => id);
  if (new Set(ids).size < ids.length) throw new EventFaults(repeated(ids));
  return contents;
};
