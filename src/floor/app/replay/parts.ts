/** What recording tickets of devices needs. */
import type { RecordedSales } from '../../../pricing/app/recorded-sale.ts';
import type { FloorParts } from '../parts.ts';

export interface DeviceFloorParts extends Pick<FloorParts, 'app'> {
  readonly recorded: RecordedSales;
}
