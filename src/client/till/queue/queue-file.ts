/** The events of a device as one text, to be carried to another device or to a person who can help. */
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

/** `deviceTime`: ISO 8601. */
export const writeQueueFile = ({ events, refused }: QueueContents, deviceTime: string): string =>
  `${JSON.stringify({ format: FORMAT, version: VERSION, device_time: deviceTime, events, refused }, null, 1)}\n`;

const parsed = (text: string): Readonly<Record<string, unknown>> => {
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

/** Throws EventFaults with every fault: a file is taken as a whole or not at all. */
export const readQueueFile = (text: string): QueueContents => {
  const { events, refused } = parsed(text);
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
