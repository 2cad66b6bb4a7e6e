/** A round on its way: what the guest says with the cart, and how it is sent. */
import { useState } from 'preact/hooks';
import type { Client } from '../../../../client/client.ts';
import type { CartLine } from '../../components/order.ts';
import type { TableOrderBody } from '../../components/table.ts';
import { useSending } from './use-sending.ts';

export interface Words {
  readonly name: string;
  readonly notes: string;
}

interface After {
  /** Also where it was refused: the table may have another code. */
  readonly onAnswer: () => void;
  readonly onSent: (ordered: TableOrderBody) => void;
}

export const useRound = (
  client: Client,
  tableId: string,
  lines: readonly CartLine[],
  { onAnswer, onSent }: After,
) => {
  const { sending, send } = useSending(client, tableId);
  const [said, setSaid] = useState<Words>({ name: '', notes: '' });
  const submit = async (): Promise<void> => {
    const [name, notes] = [said.name.trim(), said.notes.trim()];
    const ordered = await send({
      ...{ table_id: tableId, items: [...lines] },
      ...(name === '' ? {} : { customer_name: name }),
      ...(notes === '' ? {} : { notes }),
    });
    onAnswer();
    if (ordered === null) return;
    // What was typed while it was sent, or after a round whose answer was lost, stays.
    setSaid((now) => (now.notes.trim() === (ordered.notes ?? '') ? { ...now, notes: '' } : now));
    onSent(ordered);
  };
  return { sending, said, setSaid, submit };
};
