/** What was typed into a form stays in the tab until it is sent: a phone that reads its messages drops the page. */
import { readStored, session, store } from './storage.ts';

/** A guest who comes back later begins anew. */
const KEPT_MS = 24 * 60 * 60_000;

/** Null: none, or not of this shape. */
export const readDraft = <Form>(name: string, isForm: (value: unknown) => value is Form): Form | null => {
  const kept = readStored(session, name);
  const isDraft = typeof kept === 'object' && kept !== null && 'form' in kept && 'typedAt' in kept;
  if (isDraft && Date.now() - Number(kept.typedAt) < KEPT_MS && isForm(kept.form)) return kept.form;
  store(session, name, null);
  return null;
};

export const keepDraft = (name: string, form: unknown): void =>
  store(session, name, { form, typedAt: Date.now() });

export const dropDraft = (name: string): void => store(session, name, null);
