/** The first screen of booking: drawn by the server, then by the browser with the same data. */
import { Icon } from '../icon.tsx';
import type { BookingBranch } from './branch.ts';
import { Picker } from './picker.tsx';
import type { Choice, PickerProps } from './picker-props.ts';
import { ZoneNote } from './time-list.tsx';
import type { Slots } from './times.ts';

/** Of the island. */
export interface BookProps {
  readonly branch: BookingBranch;
  readonly choice: Choice;
  readonly slots: Slots;
  /** What of the address could not be followed, in the reader's language; null: nothing. */
  readonly notice: string | null;
}

interface BookScreenProps extends PickerProps {
  readonly notice: string | null;
  /** The reader's own zone; null: not known. */
  readonly ownZone: string | null;
}

export const BookScreen = ({ notice, ownZone, ...picker }: BookScreenProps) => {
  const { branch, times } = picker;
  const first = times.kind === 'listed' ? times.slots.slots[0]?.starts_at : undefined;
  return (
    <>
      {notice !== null && (
        <p class="notice" role="alert">
          <Icon name="calendar" />
          {notice}
        </p>
      )}
      {first !== undefined && <ZoneNote zone={branch.zone} own={ownZone} at={Date.parse(first)} />}
      <Picker {...picker} />
    </>
  );
};
