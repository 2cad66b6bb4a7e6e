/** Joining a programme: the card that this device has already, what the programme gives, the form. */
import { join as messages } from '../../messages/compiled/join.ts';
import { Icon } from '../icon.tsx';
import { useMessages } from '../reader.ts';
import { JoinForm, type JoinFormProps } from './join-form.tsx';

/** Of the island. */
export interface JoinProps {
  readonly orgId: string;
  readonly slug: string;
  readonly asksBirthday: boolean;
}

interface JoinViewProps extends JoinFormProps {
  /** Of the card that this device has here; null: none is known. */
  readonly cardAddress: string | null;
}

export const JoinView = ({ cardAddress, ...form }: JoinViewProps) => {
  const t = useMessages(messages);
  return (
    <>
      {cardAddress !== null && (
        <div class="notice yours" role="status">
          <Icon name="wallet" />
          <p>
            {t.yours} <a href={cardAddress}>{t.open}</a>
          </p>
        </div>
      )}
      <JoinForm {...form} />
    </>
  );
};
