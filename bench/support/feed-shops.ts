/** The id of a shop that has nothing but a change log. */
export const idOf = (shop: number): string => `00000000-0000-4000-8000-${String(shop).padStart(12, '0')}`;
