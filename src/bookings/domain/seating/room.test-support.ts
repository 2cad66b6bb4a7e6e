import type { JoinGroup, Table } from './room.ts';

export const aTable = (id: string, seatsMin: number, seatsMax: number, more: Partial<Table> = {}): Table => ({
  id,
  seatsMin,
  seatsMax,
  ...more,
});
export const aGroup = (...tableIds: readonly string[]): JoinGroup => ({ id: tableIds.join('+'), tableIds });
