/** The checkout's form. What the guest has typed stays in the tab until the order is placed. */
import { useRef, useState } from 'preact/hooks';
import type { OrderIslandProps } from '../../components/order.ts';
import { dropDraft, keepDraft, readDraft } from '../draft.ts';
import { EMPTY_FORM, isPartOfForm, type CheckoutForm, type OnForm } from './checkout.ts';

export const useForm = ({ branch, channel }: OrderIslandProps) => {
  const name = `ahwa-checkout ${branch.id} ${channel}`;
  const typed = useRef<Partial<CheckoutForm>>({});
  const [form, setForm] = useState(() => {
    typed.current = readDraft(name, isPartOfForm) ?? {};
    return { ...EMPTY_FORM, ...typed.current };
  });
  const onTyped: OnForm = (changed) => {
    typed.current = { ...typed.current, ...changed };
    keepDraft(name, typed.current);
    setForm((latest) => ({ ...latest, ...changed }));
  };
  /** What the shop knows fills in what the guest has not typed. */
  const onKnown: OnForm = (known) => setForm((latest) => ({ ...latest, ...known, ...typed.current }));
  const dropTyped = (): void => {
    typed.current = {};
    dropDraft(name);
  };
  return { form, setForm, onTyped, onKnown, dropTyped };
};
