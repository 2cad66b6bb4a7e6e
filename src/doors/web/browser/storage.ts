/** What the browser keeps; one that keeps nothing works as well, for one visit. */

/** Functions, because a browser may refuse to give a storage at all. */
export const local = (): Storage => localStorage;
export const session = (): Storage => sessionStorage;

export const readStored = (storage: () => Storage, key: string): unknown => {
  try {
    return JSON.parse(storage().getItem(key) ?? 'null');
  } catch {
    return null;
  }
};

/** Null: removes it. Returns false where the storage is full, or switched off. */
export const tryStore = (storage: () => Storage, key: string, value: unknown): boolean => {
  try {
    if (value === null) storage().removeItem(key);
    else storage().setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
};

export const store = (storage: () => Storage, key: string, value: unknown): void => {
  tryStore(storage, key, value);
};
