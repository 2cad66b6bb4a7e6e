import type { Uuid } from '../../../kernel/ids.ts';
import type { OnSaleItem } from '../../../menu/domain/item.ts';
import type { CartFaults } from './faults.ts';
import type { PricedOptional } from './types.ts';

/**
 * The optionals of each unit (Decisions 7.1); naming one twice is a fault. With an unknown size (`sizeLabel` undefined)
 * their sizes are not checked.
 */
export const priceOptionals = (
  ids: readonly Uuid[],
  entry: OnSaleItem,
  sizeLabel: string | null | undefined,
  path: string,
  faults: CartFaults,
): readonly PricedOptional[] =>
  ids.flatMap((id, index) => {
    const at = `${path}.optional_field_ids[${index}]`;
    const shown = entry.optionals.find(({ field }) => field.id === id);
    if (shown === undefined) {
      const isStored = entry.item.optionals.some((field) => field.id === id);
      faults.invalid(at, isStored ? 'OPTIONAL_NOT_SOLD' : 'OPTIONAL_UNKNOWN');
      return [];
    }
    const { field, price } = shown;
    if (field.sizeLabel !== null && sizeLabel !== undefined && field.sizeLabel !== sizeLabel)
      faults.invalid(at, 'OPTIONAL_OF_OTHER_SIZE', { size: field.sizeLabel });
    else if (ids.indexOf(id) < index) faults.invalid(at, 'OPTIONAL_TWICE');
    return [{ field, price }];
  });
