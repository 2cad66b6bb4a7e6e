/** What a cart may hold (Decisions 8): with more of it nothing can be ordered. */
export const MOST_LINES = 100;
export const MOST_OF_A_LINE = 999;
/** Of one add-on on a unit. */
export const MOST_OF_ONE_ADDON = 99;
